import type { ClientSession } from 'mongodb';
import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { visiblePosts } from '../post/feeds/visible-posts.ts';
import { requireTargetStillVisible } from '../require-target-still-visible.ts';
import { blockedAmong, blockRefusal } from '../user/blocks/blocks.ts';

/**
 * Checks in a transaction that the viewer still sees the place of a post that contains a poll, because it may have waited
 * for a lock. The posts are those that the request authorized.
 * @throws {OperationError} NOT_FOUND
 */
export async function requirePollStillVisible(
  context: Context,
  session: ClientSession,
  poll: PollRecord,
): Promise<void> {
  if (ownsPoll(viewerOf(context), poll)) return;
  const posts = await visiblePosts(context, (await context.load.postsOfPoll.load(poll.pollId)) ?? []);
  const targets = new Map(posts.map((post) => [`${post.targetType} ${post.targetId}`, post]));
  for (const target of targets.values()) {
    if (await isStillVisible(context, session, target)) return;
  }
  throw notFound('Poll');
}

/**
 * Checks in a transaction that the viewer may vote: as {@link requirePollStillVisible}, and unless the poll is only on
 * feeds of users with whom there is a block.
 * @throws {OperationError} NOT_FOUND, FORBIDDEN
 */
export async function requireMayStillVote(context: Context, session: ClientSession, poll: PollRecord): Promise<void> {
  await requirePollStillVisible(context, session, poll);
  const posts = await visiblePosts(context, (await context.load.postsOfPoll.load(poll.pollId)) ?? []);
  const isOnlyOnFeeds = posts.length > 0 && posts.every(({ targetType }) => targetType === 'user');
  if (!isOnlyOnFeeds) return;
  const owners = [...new Set(posts.map(({ targetId }) => targetId))];
  if ((await blockedAmong(context, owners, session)).length === owners.length) throw blockRefusal();
}

async function isStillVisible(
  context: Context,
  session: ClientSession,
  target: { targetType: string; targetId: string },
): Promise<boolean> {
  try {
    await requireTargetStillVisible(context, session, target);
    return true;
  } catch (error) {
    if (error instanceof OperationError) return false;
    throw error;
  }
}
