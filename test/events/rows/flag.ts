import { newComment, newPost, newStory } from './made.ts';
import type { EventRow, Expected, World } from './row.ts';

interface Flagged {
  noun: 'Post' | 'Comment' | 'Story';
  /** Makes one, and answers with its id by the name of that id, and its path. */
  make(world: World): Promise<{ path: string; id: { [name: string]: string } }>;
}

const FLAGGED: Flagged[] = [
  {
    noun: 'Post',
    async make(world) {
      const { path, postId } = await newPost(world);
      return { path, id: { postId } };
    },
  },
  {
    noun: 'Comment',
    async make(world) {
      const { path, commentId } = await newComment(world);
      return { path, id: { commentId } };
    },
  },
  {
    noun: 'Story',
    async make(world) {
      const { path, storyId } = await newStory(world);
      return { path, id: { storyId } };
    },
  },
];

/** Posts, comments and stories are flagged alike. */
export const FLAG_ROWS: EventRow[] = FLAGGED.flatMap(({ noun, make }): EventRow[] => {
  const of = (what: string, { path, id }: Awaited<ReturnType<Flagged['make']>>) =>
    [`${noun.toLowerCase()}.${what}`, path, id] as unknown as Expected;
  const flag = (world: World, input: object, as = 'carol') => world.make(as, `flag${noun}`, input, 'clientMutationId');
  const row = (operation: string, situation: string, prepare: EventRow['prepare']) => ({
    operation,
    situation,
    prepare,
  });
  return [
    row(`flag${noun}`, 'by the first user', async (world) => {
      const made = await make(world);
      return { as: 'carol', input: made.id, events: [of('flagged', made)] };
    }),
    row(`flag${noun}`, 'by the second user', async (world) => {
      const made = await make(world);
      await flag(world, made.id, 'alice');
      return { as: 'carol', input: made.id, events: [of('flagged', made)] };
    }),
    row(`flag${noun}`, 'again, for another reason', async (world) => {
      const made = await make(world);
      await flag(world, made.id);
      return { as: 'carol', input: { ...made.id, reason: 'SPAM_OR_SCAMS' } };
    }),
    row(`unflag${noun}`, 'what the user flagged', async (world) => {
      const made = await make(world);
      await flag(world, made.id);
      return { as: 'carol', input: made.id, events: [of('unflagged', made)] };
    }),
    row(`unflag${noun}`, 'what another user flagged', async (world) => {
      const made = await make(world);
      await flag(world, made.id, 'alice');
      return { as: 'carol', input: made.id };
    }),
    row(`clear${noun}Flags`, 'what two users flagged: one event', async (world) => {
      const made = await make(world);
      await flag(world, made.id);
      await flag(world, made.id, 'alice');
      return { input: made.id, events: [of('flagsCleared', made)] };
    }),
    row(`clear${noun}Flags`, 'what nobody flagged', async (world) => ({ input: (await make(world)).id })),
    row(`clear${noun}Flags`, 'without the right', async (world) => {
      const made = await make(world);
      await flag(world, made.id);
      return { as: 'carol', input: made.id, code: 'PERMISSION_DENIED' };
    }),
  ];
});
