import { createPost, createStory } from './content-fixtures.ts';
import type { EventCase } from './event-case.ts';

/** Views cause no events, since every view would be one; authors query the counts. */
export const VIEW_CASES: EventCase[] = [
  {
    operation: 'recordViews',
    situation: 'of a post and a story, for the first time',
    async prepare(context) {
      const [{ postId }, { storyId }] = [await createPost(context), await createStory(context)];
      return { as: 'carol', input: { postIds: [postId], storyIds: [storyId] } };
    },
  },
  {
    operation: 'markStorySeen',
    situation: 'for the first time',
    async prepare(context) {
      const { storyId } = await createStory(context);
      return { as: 'carol', input: { storyId } };
    },
  },
];
