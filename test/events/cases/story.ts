import { createStory, STORY } from './content-fixtures.ts';
import type { EventCase, ExpectedEvent } from './event-case.ts';

const storyEvent = (type: ExpectedEvent[0] & `story.${string}`, { storyId, path }: { storyId: string; path: string }) =>
  [type, path, { storyId }] as ExpectedEvent;

export const STORY_CASES: EventCase[] = [
  {
    operation: 'createStory',
    situation: 'in a community',
    prepare: () => ({
      input: STORY,
      select: 'story { storyId path }',
      events: ({ story }) => [storyEvent('story.created', story)],
    }),
  },
  {
    operation: 'createStory',
    situation: 'without permission',
    prepare: () => ({ as: 'bob', input: STORY, code: 'PERMISSION_DENIED' }),
  },
  {
    operation: 'deleteStory',
    situation: 'a published story',
    async prepare(context) {
      const created = await createStory(context);
      return { input: { storyId: created.storyId }, events: [storyEvent('story.deleted', created)] };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'a deleted story',
    async prepare(context) {
      const { storyId } = await createStory(context);
      await context.mutate('alice', 'deleteStory', { storyId }, 'clientMutationId');
      return { input: { storyId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'permanently, after it was deleted: no second event',
    async prepare(context) {
      const created = await createStory(context);
      await context.mutate('alice', 'deleteStory', { storyId: created.storyId }, 'clientMutationId');
      return { input: { storyId: created.storyId, permanent: true } };
    },
  },
  {
    operation: 'deleteStory',
    situation: 'permanently, for the second time',
    async prepare(context) {
      const input = { storyId: (await createStory(context)).storyId, permanent: true };
      await context.mutate('alice', 'deleteStory', input, 'clientMutationId');
      return { input };
    },
  },
];
