import { canModeratePosts } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { requireCommunityRight } from '../../community/members/require-community-right.ts';
import { actOnPost } from '../act-on-post.ts';
import { childIdsOf } from '../content/child-posts.ts';
import { countPost, invalidatePost, postsLock } from '../count-post.ts';
import { getPost, placeOfPost } from '../get-post.ts';
import { postEvent, publicationEvents } from '../post-events.ts';

/**
 * Publishes a post in review.
 * @throws {OperationError} as {@link declinePost}
 */
export function approvePost(context: Context, { postId }: { postId: string }): Promise<PostRecord> {
  return review(context, { postId, feedType: 'published' });
}

/**
 * Declines a post in review; its author and moderators still see it.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer moderates posts there; BAD_REQUEST for a post
 *   that is not in review
 */
export function declinePost(context: Context, { postId }: { postId: string }): Promise<PostRecord> {
  return review(context, { postId, feedType: 'declined' });
}

interface Review {
  postId: string;
  feedType: 'published' | 'declined';
}

async function review(context: Context, { postId, feedType }: Review): Promise<PostRecord> {
  const viewer = viewerOf(context);
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Post');
  const place = await placeOfPost(context, post);
  if (!canModeratePosts(viewer, place)) throw new OperationError('PERMISSION_DENIED');
  const feed = place.community?.feeds.find((candidate) => candidate.feedType === feedType);
  if (!feed || post.feedType !== 'reviewing' || post.parentPostId) throw notInReview();
  const { networkId } = viewer;
  const $set = { feedType, feedId: feed.feedId, updatedAt: context.now() };
  const reviewed = await context.transaction(
    async (session) => {
      await requireCommunityRight(context, session, place, (now, membership) =>
        canModeratePosts(now, { ...place, membership }),
      );
      const { posts } = context.store.collections;
      const waiting = { networkId, postId, isDeleted: false, feedType: 'reviewing' as const };
      const moved = await posts.findOneAndUpdate(waiting, { $set }, { session, returnDocument: 'after' });
      if (!moved) throw notInReview();
      const children = await childIdsOf(context, session, moved);
      await posts.updateMany({ networkId, postId: { $in: children } }, { $set }, { session });
      await countPost(context, session, { ...targetOf(moved), from: 'reviewing', to: feedType });
      await recordAudit(context, session, [actOnPost(moved)]);
      const name = feedType === 'published' ? 'post.approved' : 'post.declined';
      await appendEvents(context, session, [postEvent(name, moved), ...publicationEvents(moved)]);
      return moved;
    },
    postsLock(context, post),
  );
  invalidatePost(context, post);
  for (const child of post.children) context.load.posts.clear(child);
  return reviewed;
}

function targetOf({ targetType, targetId }: PostRecord): Pick<PostRecord, 'targetType' | 'targetId'> {
  return { targetType, targetId };
}

function notInReview(): OperationError {
  return new OperationError('BAD_REQUEST', { message: 'This post is not in review.' });
}
