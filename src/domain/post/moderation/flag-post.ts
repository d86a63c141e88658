import { canModeratePosts } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { requireCommunityRight } from '../../community/members/require-community-right.ts';
import { clearFlags } from '../../flag/clear-flags.ts';
import type { FlagReasonInput } from '../../flag/flag-reason.ts';
import { flagRecord, isFlaggedByViewer, unflagRecord } from '../../flag/flag-record.ts';
import type { FlagTarget } from '../../flag/flag-target.ts';
import { lockFor } from '../../lock-for.ts';
import { requireTargetStillVisible } from '../../require-target-still-visible.ts';
import { invalidatePost } from '../count-post.ts';
import { getPost, placeOfPost } from '../get-post.ts';
import { postEvent } from '../post-events.ts';
import { markAncestorsOfPost, unmarkAncestorsOfPost } from './flagged-ancestors.ts';

interface PostId {
  postId: string;
}

/**
 * Flags a post for its moderators, as {@link flagRecord}.
 * @throws {OperationError} NOT_FOUND when the viewer does not see the post or it is deleted; INVALID_PARAMETERS
 */
export async function flagPost(context: Context, { postId, ...reason }: PostId & FlagReasonInput): Promise<PostRecord> {
  const post = await visiblePost(context, postId);
  if (post.isDeleted) throw notFound('Post');
  return flagRecord(context, flagTarget(context, post), reason);
}

/** Withdraws the viewer's flag. @throws {OperationError} NOT_FOUND */
export async function unflagPost(context: Context, { postId }: PostId): Promise<PostRecord> {
  return unflagRecord(context, flagTarget(context, await visiblePost(context, postId)));
}

/**
 * Removes all flags of a post; the users who flagged it may flag it again.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer moderates posts there
 */
export async function clearPostFlags(context: Context, { postId }: PostId): Promise<PostRecord> {
  const post = await visiblePost(context, postId);
  const place = await placeOfPost(context, post);
  if (!canModeratePosts(viewerOf(context), place)) throw new OperationError('PERMISSION_DENIED');
  return clearFlags(context, flagTarget(context, post), (session) =>
    requireCommunityRight(context, session, place, (viewer, membership) =>
      canModeratePosts(viewer, { ...place, membership }),
    ),
  );
}

/** Whether the viewer flagged a post. @throws {OperationError} NOT_FOUND */
export async function isPostFlagged(context: Context, { postId }: PostId): Promise<boolean> {
  return isPostFlaggedByViewer(context, await visiblePost(context, postId));
}

export function isPostFlaggedByViewer(context: Context, { postId, flagCount }: PostRecord): Promise<boolean> {
  return isFlaggedByViewer(context, { referenceType: 'post', referenceId: postId, flagCount });
}

async function visiblePost(context: Context, postId: string): Promise<PostRecord> {
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  return post;
}

const EVENTS = { flagged: 'post.flagged', unflagged: 'post.unflagged', cleared: 'post.flagsCleared' } as const;

function flagTarget(context: Context, post: PostRecord): FlagTarget<PostRecord> {
  const { networkId, postId } = post;
  return {
    referenceType: 'post',
    referenceId: postId,
    record: post,
    collection: context.store.collections.posts,
    filter: { networkId, postId },
    authorId: post.postedUserId,
    communityId: post.targetType === 'community' ? post.targetId : null,
    channelId: null,
    requireStillVisible: (session) => requireTargetStillVisible(context, session, post),
    label: 'Post',
    lock: lockFor(context, 'post', postId),
    event: (change, record) => postEvent(EVENTS[change], record),
    markAncestors: (session, isFlagged) =>
      isFlagged ? markAncestorsOfPost(context, session, post) : unmarkAncestorsOfPost(context, session, post),
    invalidate: () => invalidatePost(context, post),
  };
}
