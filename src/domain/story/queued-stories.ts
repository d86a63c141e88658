import { canManageStories } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { FLAGGED, type QueueSelection, type QueueSource, queueFilters, queueSource } from '../flag/queue-source.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';
import { placeOfStory } from './get-story.ts';

/** Flagged stories of the moderation queue, expired ones included. */
export function flaggedStories(context: Context, selection: QueueSelection): QueueSource {
  const { networkId } = viewerOf(context);
  return queueSource<StoryRecord>({
    kind: 'story',
    collection: context.store.collections.stories,
    filters: queueFilters<StoryRecord>(selection, { networkId, authorField: 'userId', state: FLAGGED }),
    moderated: (stories) => managedStories(context, stories),
  });
}

/** A story, if the viewer manages stories there. */
export async function moderatedStory(context: Context, storyId: string): Promise<StoryRecord | null> {
  const story = await context.load.stories.load(storyId);
  return story && ((await managedStories(context, [story]))[0] ?? null);
}

async function managedStories(context: Context, stories: StoryRecord[]): Promise<StoryRecord[]> {
  const viewer = viewerOf(context);
  const isManaged = await Promise.all(
    stories.map(async (story) => {
      const place = await placeOfStory(context, story);
      const isSeen = story.targetType === 'community' ? place !== null : await seesFeedOfUser(context, story.targetId);
      return isSeen && canManageStories(viewer, place);
    }),
  );
  return stories.filter((_, index) => isManaged[index]);
}
