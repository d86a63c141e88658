import { canManageStories } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { append } from '../../events/append.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { clearFlags } from '../flag/clear-flags.ts';
import { countFlag, uncountFlag } from '../flag/count-flag.ts';
import { type FlagReasonInput, flagReason } from '../flag/flag-reason.ts';
import { flaggersOf, recordFlag, removeFlag } from '../flag/record-flag.ts';
import { lockFor } from '../lock-for.ts';
import { getStory, placeOfStory } from './get-story.ts';
import { storyEvent } from './story-events.ts';

interface Named {
  storyId: string;
}

/**
 * Flags a story for those who manage stories there. One flag per user: a repeat changes the reason and counts once.
 * @throws {OperationError} NOT_FOUND, also for a deleted story; INVALID_PARAMETERS for a long detail
 */
export async function flagStory(context: Context, { storyId, ...said }: Named & FlagReasonInput): Promise<StoryRecord> {
  const { networkId, userId } = viewerOf(context);
  const reason = flagReason(said);
  const story = await flaggable(context, { storyId });
  const reference = { referenceType: 'story', referenceId: storyId, userId } as const;
  const flagged = await context.transaction(
    async (session) => {
      if ((await recordFlag(context, session, { ...reference, ...reason })) === 'changed') return null;
      const collection = context.store.collections.stories;
      const counted = await countFlag({
        session,
        collection,
        filter: { networkId, storyId, isDeleted: false },
        userId,
      });
      if (!counted) throw notFound('Story');
      await append(context, session, [storyEvent('story.flagged', counted)]);
      return counted;
    },
    lockFor(context, 'story', storyId),
  );
  forget(context, storyId);
  return flagged ?? story;
}

/**
 * Takes the viewer's flag on a story back; without one nothing happens.
 * @throws {OperationError} NOT_FOUND
 */
export async function unflagStory(context: Context, { storyId }: Named): Promise<StoryRecord> {
  const { networkId, userId } = viewerOf(context);
  const story = await flaggable(context, { storyId });
  const reference = { referenceType: 'story', referenceId: storyId } as const;
  const unflagged = await context.transaction(
    async (session) => {
      if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
      const flaggers = await flaggersOf(context, session, reference);
      const collection = context.store.collections.stories;
      const left = await uncountFlag({ session, collection, filter: { networkId, storyId }, flaggers });
      await append(context, session, [storyEvent('story.unflagged', story)]);
      return left;
    },
    lockFor(context, 'story', storyId),
  );
  forget(context, storyId);
  return unflagged ?? story;
}

/**
 * Takes all flags on a story back.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for whoever does not manage stories there
 */
export async function clearStoryFlags(context: Context, { storyId }: Named): Promise<StoryRecord> {
  const viewer = viewerOf(context);
  const story = await flaggable(context, { storyId });
  if (!canManageStories(viewer, await placeOfStory(context, story))) throw new OperationError('PERMISSION_DENIED');
  const cleared = await context.transaction(
    async (session) => {
      const filter = { networkId: viewer.networkId, storyId };
      const collection = context.store.collections.stories;
      const reference = { referenceType: 'story', referenceId: storyId } as const;
      const left = await clearFlags(context, { session, collection, filter, reference });
      if (left) await append(context, session, [storyEvent('story.flagsCleared', left)]);
      return left;
    },
    lockFor(context, 'story', storyId),
  );
  forget(context, storyId);
  return cleared ?? story;
}

/** Whether the viewer flagged a story; one that nobody flagged needs no look-up. */
export async function isStoryFlaggedByViewer(context: Context, { storyId, flagCount }: StoryRecord): Promise<boolean> {
  if (flagCount === 0) return false;
  const flags = await context.load.myFlags.load([storyId, viewerOf(context).userId]);
  return (flags ?? []).some((flag) => flag.referenceType === 'story');
}

async function flaggable(context: Context, { storyId }: Named): Promise<StoryRecord> {
  const story = await getStory(context, { storyId });
  if (!story || story.isDeleted) throw notFound('Story');
  return story;
}

function forget(context: Context, storyId: string): void {
  context.load.stories.clear(storyId);
  context.load.myFlags.clear([storyId, viewerOf(context).userId]);
}
