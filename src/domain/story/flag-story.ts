import { canManageStories } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { clearFlags } from '../flag/clear-flags.ts';
import type { FlagReasonInput } from '../flag/flag-reason.ts';
import { flagRecord, isFlaggedByViewer, unflagRecord } from '../flag/flag-record.ts';
import type { FlagTarget } from '../flag/flag-target.ts';
import { lockFor } from '../lock-for.ts';
import { requireTargetStillVisible } from '../require-target-still-visible.ts';
import { getStory, placeOfStory, requireStoryRight } from './get-story.ts';
import { storyEvent } from './story-events.ts';

interface StoryId {
  storyId: string;
}

/**
 * Flags a story for the managers of stories there, as {@link flagRecord}.
 * @throws {OperationError} NOT_FOUND, also for a deleted story; INVALID_PARAMETERS
 */
export async function flagStory(
  context: Context,
  { storyId, ...reason }: StoryId & FlagReasonInput,
): Promise<StoryRecord> {
  return flagRecord(context, flagTarget(context, await liveStory(context, storyId)), reason);
}

/** Withdraws the viewer's flag. @throws {OperationError} NOT_FOUND */
export async function unflagStory(context: Context, { storyId }: StoryId): Promise<StoryRecord> {
  return unflagRecord(context, flagTarget(context, await liveStory(context, storyId)));
}

/**
 * Removes all flags of a story.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer manages stories there
 */
export async function clearStoryFlags(context: Context, { storyId }: StoryId): Promise<StoryRecord> {
  const story = await liveStory(context, storyId);
  const place = await placeOfStory(context, story);
  if (!canManageStories(viewerOf(context), place)) throw new OperationError('PERMISSION_DENIED');
  return clearFlags(context, flagTarget(context, story), (session) => requireStoryRight(context, session, place));
}

export function isStoryFlaggedByViewer(context: Context, { storyId, flagCount }: StoryRecord): Promise<boolean> {
  return isFlaggedByViewer(context, { referenceType: 'story', referenceId: storyId, flagCount });
}

async function liveStory(context: Context, storyId: string): Promise<StoryRecord> {
  const story = await getStory(context, { storyId });
  if (!story || story.isDeleted) throw notFound('Story');
  return story;
}

const EVENTS = { flagged: 'story.flagged', unflagged: 'story.unflagged', cleared: 'story.flagsCleared' } as const;

function flagTarget(context: Context, story: StoryRecord): FlagTarget<StoryRecord> {
  const { networkId, storyId } = story;
  return {
    referenceType: 'story',
    referenceId: storyId,
    record: story,
    collection: context.store.collections.stories,
    filter: { networkId, storyId },
    authorId: story.userId,
    communityId: story.targetType === 'community' ? story.targetId : null,
    channelId: null,
    requireStillVisible: (session) => requireTargetStillVisible(context, session, story),
    label: 'Story',
    lock: lockFor(context, 'story', storyId),
    event: (change, record) => storyEvent(EVENTS[change], record),
    invalidate: () => void context.load.stories.clear(storyId),
  };
}
