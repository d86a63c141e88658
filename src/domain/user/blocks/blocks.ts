import type { ClientSession } from 'mongodb';
import { isBlockedBetween, isSubjectToBlocks } from '../../../access/block.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { type MaybePromise, whenLoaded } from '../../../lib/maybe-promise.ts';
import type { ChannelRecord } from '../../../store/records/chat.ts';

/** Filters user ids to those who blocked the viewer or whom the viewer blocked, in one command. */
export async function blockedAmong(
  context: Context,
  userIds: readonly string[],
  session?: ClientSession,
): Promise<string[]> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const others = userIds.filter((other) => other !== userId);
  if (others.length === 0 || !isSubjectToBlocks(viewer)) return [];
  const blocks = await context.store.collections.userBlocks
    .find(
      {
        $or: [
          { networkId, userId, blockedUserId: { $in: others } },
          { networkId, userId: { $in: others }, blockedUserId: userId },
        ],
      },
      { ...(session && { session }) },
    )
    .toArray();
  return others.filter((other) => isBlockedBetween(viewer, other, blocks));
}

/**
 * Rejects an operation that blocks prevent, without revealing who blocked whom.
 * @throws {OperationError} FORBIDDEN
 */
export async function requireNotBlocked(
  context: Context,
  userIds: readonly string[],
  { path = [], session }: { path?: readonly string[]; session?: ClientSession } = {},
): Promise<void> {
  if ((await blockedAmong(context, userIds, session)).length === 0) return;
  throw blockRefusal(path);
}

export function blockRefusal(path: readonly string[] = []): OperationError {
  return new OperationError('FORBIDDEN', { message: 'A block between you and this user prevents this.', path });
}

/**
 * Users with whom a block prevents writes in a channel: the members of a conversation of two, and in the live chat of a
 * room or stream the owner of the feed that shows it.
 */
export async function writePartners(
  context: Context,
  { type, channelId, memberCount, attachedTo }: ChannelRecord,
): Promise<string[]> {
  if (type === 'live' && attachedTo?.postId) {
    const post = await context.load.posts.load(attachedTo.postId);
    return post?.targetType === 'user' ? [post.targetId] : [];
  }
  if (type !== 'conversation' || memberCount > 2) return [];
  const members = await context.load.channelMembers.load([channelId, 'member']);
  return (members ?? []).map(({ userId }) => userId);
}

/** Whether the viewer blocked a user; sends no command for viewers without blocks. */
export function isBlockedByViewer(context: Context, { userId }: { userId: string }): MaybePromise<boolean> {
  const viewer = viewerOf(context);
  if (!viewer.hasBlocks) return false;
  return whenLoaded(context.load.userBlocks.load([viewer.userId, userId]), (block) => block !== null);
}
