import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { countReaction } from '../engagement/count-reaction.ts';
import type { Reactable } from '../engagement/reactable.ts';
import { getStory } from './get-story.ts';

/** The story of a reaction. @throws {OperationError} NOT_FOUND, also for an expired story */
export async function reactableStory(context: Context, storyId: string): Promise<Reactable<StoryRecord>> {
  const story = await getStory(context, { storyId });
  if (!story || story.isDeleted || story.expiresAt <= context.now()) throw notFound('Story');
  const filter = { networkId: story.networkId, storyId, isDeleted: false };
  return {
    place: story,
    path: story.path,
    count: (session, change) =>
      countReaction({
        ...change,
        session,
        collection: context.store.collections.stories,
        filter,
        total: 'reactionsCount',
      }),
    present(changed) {
      context.load.stories.clear(storyId);
      return changed ?? story;
    },
  };
}
