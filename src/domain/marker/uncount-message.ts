import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageRecord } from '../../store/records/chat.ts';

/** Takes a message that was just deleted out of the unread counts of everybody who had not read it. */
export async function uncountInMarkers(
  context: Context,
  session: ClientSession,
  message: MessageRecord,
): Promise<void> {
  const { networkId, messageFeedId, channelInternalId, segment } = message;
  const { userFeedMarkers, userEntityMarkers, userMarkers } = context.store.collections;
  const options = { session, projection: { _id: 0, userId: 1 } } as const;
  const unread = {
    networkId,
    feedId: messageFeedId,
    userId: { $ne: message.userId },
    readToSegment: { $lt: segment },
    unreadCount: { $gt: 0 },
  };
  const userIds = (await userFeedMarkers.find(unread, options).toArray()).map(({ userId }) => userId);
  if (userIds.length === 0) return;

  const lowered = { $inc: { unreadCount: -1 }, $set: { updatedAt: context.now() } };
  const ofChannel = { networkId, entityId: channelInternalId, userId: { $in: userIds } };
  await userFeedMarkers.updateMany({ networkId, feedId: messageFeedId, userId: { $in: userIds } }, lowered, {
    session,
  });
  await userEntityMarkers.updateMany(ofChannel, lowered, { session });
  // A deleted channel keeps its own sums but is in nobody's total.
  const counted = await userEntityMarkers.find({ ...ofChannel, isDeleted: false }, options).toArray();
  await userMarkers.updateMany({ networkId, userId: { $in: counted.map(({ userId }) => userId) } }, lowered, {
    session,
  });
}
