import type { ClientSession } from 'mongodb';
import { canSeeUserFeed } from '../../../access/follow.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { requireNotBlocked } from '../blocks/blocks.ts';
import { hasPrivateFeeds } from './feed-privacy.ts';

interface Target {
  targetType: string;
  targetId: string;
}

/**
 * Checks in a transaction that the viewer may still act on the feed of a user, because it may have waited for a lock:
 * neither of the two blocks the other, and the viewer still sees the feed. Other targets have no such condition.
 *
 * @throws {OperationError} FORBIDDEN for a block; NOT_FOUND when the viewer no longer follows the owner of a private feed
 */
export async function requireStillOnFeed(context: Context, session: ClientSession, target: Target): Promise<void> {
  if (target.targetType !== 'user') return;
  await requireNotBlocked(context, [target.targetId], { session });
  await requireFeedStillVisible(context, session, target);
}

/**
 * As {@link requireStillOnFeed}, for acts that a block does not prevent.
 * @throws {OperationError} NOT_FOUND when the viewer no longer follows the owner of a private feed
 */
export async function requireFeedStillVisible(
  context: Context,
  session: ClientSession,
  { targetType, targetId }: Target,
): Promise<void> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  if (targetType !== 'user' || targetId === userId) return;
  const isPrivate = await hasPrivateFeeds(context.store, networkId);
  if (canSeeUserFeed(viewer, targetId, { isPrivate, isFollower: false })) return;
  const follow = await context.store.collections.follows.findOne(
    { networkId, userId, followedUserId: targetId },
    { session },
  );
  if (follow?.status !== 'accepted') throw notFound('Feed');
}
