import { newPost, newStory } from './made.ts';
import type { EventRow } from './row.ts';

/** Who looked at what is for its author to ask: as an event, each look would be one. */
export const VIEW_ROWS: EventRow[] = [
  {
    operation: 'recordViews',
    situation: 'of a post and a story, for the first time',
    async prepare(world) {
      const [{ postId }, { storyId }] = [await newPost(world), await newStory(world)];
      return { as: 'carol', input: { postIds: [postId], storyIds: [storyId] } };
    },
  },
  {
    operation: 'markStorySeen',
    situation: 'for the first time',
    async prepare(world) {
      const { storyId } = await newStory(world);
      return { as: 'carol', input: { storyId } };
    },
  },
];
