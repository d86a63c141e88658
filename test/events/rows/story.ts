import { newStory, STORY } from './made.ts';
import type { EventRow, Expected } from './row.ts';

const of = (type: Expected[0] & `story.${string}`, { storyId, path }: { storyId: string; path: string }) =>
  [type, path, { storyId }] as Expected;

export const STORY_ROWS: EventRow[] = [
  {
    operation: 'createStory',
    situation: 'in a community',
    prepare: () => ({
      input: STORY,
      select: 'story { storyId path }',
      events: ({ story }) => [of('story.created', story)],
    }),
  },
  {
    operation: 'createStory',
    situation: 'without the right',
    prepare: () => ({ as: 'bob', input: STORY, code: 'PERMISSION_DENIED' }),
  },
  {
    operation: 'deleteStory',
    situation: 'one that is shown',
    async prepare(world) {
      const made = await newStory(world);
      return { input: { storyId: made.storyId }, events: [of('story.deleted', made)] };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'one that is deleted',
    async prepare(world) {
      const { storyId } = await newStory(world);
      await world.make('alice', 'deleteStory', { storyId }, 'clientMutationId');
      return { input: { storyId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'for good, after it was deleted: it has gone already',
    async prepare(world) {
      const made = await newStory(world);
      await world.make('alice', 'deleteStory', { storyId: made.storyId }, 'clientMutationId');
      return { input: { storyId: made.storyId, permanent: true } };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'for good, for the second time',
    async prepare(world) {
      const input = { storyId: (await newStory(world)).storyId, permanent: true };
      await world.make('alice', 'deleteStory', input, 'clientMutationId');
      return { input };
    },
  },
];
