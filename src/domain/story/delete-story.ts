import { canDeleteStory, canManageStories } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockFor } from '../lock-for.ts';
import { getStory, placeOfStory, requireStoryRight } from './get-story.ts';
import { storyEvent } from './story-events.ts';
import { lowerStoryTarget } from './update-story-target.ts';

export interface DeleteStoryInput {
  storyId: string;
  /** Whether to erase the content too, which managers of stories could otherwise still see. @default false */
  permanent?: boolean | null | undefined;
}

const NOTHING = { data: {}, items: [], metadata: {}, mentionedUsers: [] };

/**
 * Deletes a story. Managers of stories still see it, unless `permanent` erases its content. Erasing an already deleted
 * story appends no event.
 *
 * @throws {OperationError} NOT_FOUND, also for a deleted story unless `permanent` is set; PERMISSION_DENIED for users
 *   who neither created it nor manage stories there
 */
export async function deleteStory(context: Context, { storyId, permanent }: DeleteStoryInput): Promise<StoryRecord> {
  const viewer = viewerOf(context);
  const story = await getStory(context, { storyId });
  if (!story || (story.isDeleted && !permanent)) throw notFound('Story');
  const place = await placeOfStory(context, story);
  const mayDelete = permanent ? canManageStories(viewer, place) : canDeleteStory(viewer, story, place);
  if (!mayDelete) throw new OperationError('PERMISSION_DENIED');
  const { networkId, targetType, targetId } = story;
  const erased: Partial<typeof NOTHING> = permanent ? NOTHING : {};
  const deleted = await context.transaction(
    async (session) => {
      if (permanent || story.userId !== viewer.userId) await requireStoryRight(context, session, place);
      const $set = { isDeleted: true, updatedAt: context.now(), ...erased };
      const before = await context.store.collections.stories.findOneAndUpdate(
        { networkId, storyId, ...(!permanent && { isDeleted: false }) },
        { $set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('Story');
      const gone = { ...before, ...$set };
      await lowerStoryTarget(context, session, gone);
      if (permanent || before.userId !== viewer.userId) {
        const communityId = targetType === 'community' ? targetId : null;
        await recordAudit(context, session, [
          {
            subjectType: 'story',
            subjectId: storyId,
            affectedUserId: before.userId,
            communityId,
            details: { permanent: !!permanent },
          },
        ]);
      }
      if (!before.isDeleted) await appendEvents(context, session, [storyEvent('story.deleted', gone)]);
      return gone;
    },
    lockFor(context, targetType, targetId),
  );
  context.load.stories.clear(storyId);
  return deleted;
}
