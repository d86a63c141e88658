import type { ClientSession } from 'mongodb';
import { canDeletePost, canErasePost } from '../../access/post.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { emptyPostDetails, type PostRecord } from '../../store/records/content.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { indexPost } from '../search-index/index-record.ts';
import { actOnPost, isOwnPost } from './act-on-post.ts';
import { childIdsOf, liveChildrenOf } from './content/child-posts.ts';
import { structureOf } from './content/post-content.ts';
import { countPost, invalidatePost, postsLock } from './count-post.ts';
import { getPost, placeOfPost } from './get-post.ts';
import { unmarkAncestorsOfPost } from './moderation/flagged-ancestors.ts';
import { childSummary } from './new-posts.ts';
import { removePinsOfPost } from './pins/remove-pins.ts';
import { postEvent } from './post-events.ts';

export interface DeletePostInput {
  postId: string;
  /** Whether to erase the content as well, also for moderators. @default false */
  permanent?: boolean | null | undefined;
}

/**
 * Deletes a post with its child posts and pins, which get no events of their own. Moderators still see it, unless
 * `permanent` erases its content. Erasing an already deleted post appends no event.
 *
 * @throws {OperationError} NOT_FOUND, also for a deleted post unless it is to be erased; PERMISSION_DENIED for users
 *   who neither posted it nor may delete posts there, and for erasing without that permission
 */
export async function deletePost(context: Context, { postId, permanent }: DeletePostInput): Promise<PostRecord> {
  const viewer = viewerOf(context);
  const post = await getPost(context, { postId });
  if (!post || (post.isDeleted && !permanent)) throw notFound('Post');
  const place = await placeOfPost(context, post);
  const mayDelete = permanent ? canErasePost(viewer, place) : canDeletePost(viewer, post, place);
  if (!mayDelete) throw new OperationError('PERMISSION_DENIED');
  const isPrivileged = permanent || !isOwnPost(context, post);
  const deleted = await context.transaction(
    async (session) => {
      if (isPrivileged) {
        await requireCommunityRight(context, session, place, (now, membership) =>
          canErasePost(now, { ...place, membership }),
        );
      }
      const removed = post.isDeleted ? null : await remove(context, session, post);
      const gone = removed?.post ?? post;
      const left = permanent ? await erase(context, session, gone) : gone;
      await recordAudit(
        context,
        session,
        isPrivileged ? [{ ...actOnPost(post), details: { permanent: !!permanent } }] : [],
      );
      await appendEvents(context, session, removed?.events ?? []);
      return left;
    },
    postsLock(context, post),
  );
  invalidatePost(context, post);
  for (const child of post.children) context.load.posts.clear(child);
  if (post.sharedPostId) context.load.posts.clear(post.sharedPostId);
  return deleted;
}

/** @throws {OperationError} NOT_FOUND when it was deleted meanwhile */
async function remove(
  context: Context,
  session: ClientSession,
  { postId }: PostRecord,
): Promise<{ post: PostRecord; events: NewEvent[] }> {
  const { networkId } = viewerOf(context);
  const { posts } = context.store.collections;
  const $set = { isDeleted: true, updatedAt: context.now() };
  const deleted = await posts.findOneAndUpdate(
    { networkId, postId, isDeleted: false },
    { $set: { ...$set, childrenNumber: 0, children: [] } },
    { session, returnDocument: 'after' },
  );
  if (!deleted) throw notFound('Post');
  if (!deleted.parentPostId) await indexPost(context, session, deleted);
  const events = [postEvent('post.deleted', deleted)];
  if (deleted.parentPostId) {
    const parent = await updateParent(context, session, deleted);
    if (parent) events.push(postEvent('post.updated', parent));
  } else {
    const children = await liveChildrenOf(context, deleted, session);
    const childFilter = { networkId, postId: { $in: children.map((child) => child.postId) } };
    if (children.length > 0) await posts.updateMany(childFilter, { $set }, { session });
    await removeFromFeed(context, session, deleted);
  }
  if (deleted.flagCount > 0 || deleted.hasFlaggedChildren) await unmarkAncestorsOfPost(context, session, deleted);
  return { post: deleted, events };
}

async function removeFromFeed(context: Context, session: ClientSession, post: PostRecord): Promise<void> {
  const { networkId } = post;
  await countPost(context, session, { targetType: post.targetType, targetId: post.targetId, from: post.feedType });
  if (post.feedType === 'published') await removePinsOfPost(context, session, post);
  if (!post.sharedPostId) return;
  const shared = { networkId, postId: post.sharedPostId, sharedCount: { $gt: 0 } };
  await context.store.collections.posts.updateOne(shared, { $inc: { sharedCount: -1 } }, { session });
}

/**
 * Updates the parent of a deleted child post. Its structure type may change: a post that loses its images is a text
 * post.
 */
async function updateParent(
  context: Context,
  session: ClientSession,
  { networkId, parentPostId }: PostRecord,
): Promise<Pick<PostRecord, 'path' | 'postId'> | null> {
  const left = await liveChildrenOf(context, { networkId, postId: parentPostId! }, session);
  return context.store.collections.posts.findOneAndUpdate(
    { networkId, postId: parentPostId! },
    { $set: { ...childSummary(left), structureType: structureOf(left) } },
    { session, projection: { path: 1, postId: 1 } },
  );
}

/** Erases the content of a post and its child posts; the records remain. */
async function erase(context: Context, session: ClientSession, post: PostRecord): Promise<PostRecord> {
  const { networkId, postId } = post;
  const { posts } = context.store.collections;
  const $set = { data: {}, ...emptyPostDetails() };
  const children = await childIdsOf(context, session, post);
  await posts.updateMany({ networkId, postId: { $in: children } }, { $set }, { session });
  const erased = await posts.findOneAndUpdate({ networkId, postId }, { $set }, { session, returnDocument: 'after' });
  return erased!;
}
