import { createComment, createPost, createStory } from './content-fixtures.ts';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';

interface FlaggedType {
  type: 'Post' | 'Comment' | 'Story';
  /** Creates a record and returns its path and its id under the name of the id. */
  create(context: CaseContext): Promise<{ path: string; id: { [name: string]: string } }>;
}

const FLAGGED: FlaggedType[] = [
  {
    type: 'Post',
    async create(context) {
      const { path, postId } = await createPost(context);
      return { path, id: { postId } };
    },
  },
  {
    type: 'Comment',
    async create(context) {
      const { path, commentId } = await createComment(context);
      return { path, id: { commentId } };
    },
  },
  {
    type: 'Story',
    async create(context) {
      const { path, storyId } = await createStory(context);
      return { path, id: { storyId } };
    },
  },
];

/** Flags of posts, comments and stories. */
export const FLAG_CASES: EventCase[] = FLAGGED.flatMap(({ type, create }): EventCase[] => {
  const of = (what: string, { path, id }: Awaited<ReturnType<FlaggedType['create']>>) =>
    [`${type.toLowerCase()}.${what}`, path, id] as unknown as ExpectedEvent;
  const flag = (context: CaseContext, input: object, as = 'carol') =>
    context.mutate(as, `flag${type}`, input, 'clientMutationId');
  const eventCase = (operation: string, situation: string, prepare: EventCase['prepare']) => ({
    operation,
    situation,
    prepare,
  });
  return [
    eventCase(`flag${type}`, 'by the first user', async (context) => {
      const created = await create(context);
      return { as: 'carol', input: created.id, events: [of('flagged', created)] };
    }),
    eventCase(`flag${type}`, 'by the second user', async (context) => {
      const created = await create(context);
      await flag(context, created.id, 'alice');
      return { as: 'carol', input: created.id, events: [of('flagged', created)] };
    }),
    eventCase(`flag${type}`, 'again, for another reason', async (context) => {
      const created = await create(context);
      await flag(context, created.id);
      return { as: 'carol', input: { ...created.id, reason: 'SPAM_OR_SCAMS' } };
    }),
    eventCase(`unflag${type}`, 'the flag of the user', async (context) => {
      const created = await create(context);
      await flag(context, created.id);
      return { as: 'carol', input: created.id, events: [of('unflagged', created)] };
    }),
    eventCase(`unflag${type}`, 'without an own flag', async (context) => {
      const created = await create(context);
      await flag(context, created.id, 'alice');
      return { as: 'carol', input: created.id };
    }),
    eventCase(`clear${type}Flags`, 'of two users: one event', async (context) => {
      const created = await create(context);
      await flag(context, created.id);
      await flag(context, created.id, 'alice');
      return { input: created.id, events: [of('flagsCleared', created)] };
    }),
    eventCase(`clear${type}Flags`, 'without flags', async (context) => ({ input: (await create(context)).id })),
    eventCase(`clear${type}Flags`, 'without permission', async (context) => {
      const created = await create(context);
      await flag(context, created.id);
      return { as: 'carol', input: created.id, code: 'PERMISSION_DENIED' };
    }),
  ];
});
