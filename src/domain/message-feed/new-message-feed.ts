import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { ChannelRecord, MessageFeedRecord } from '../../store/records/chat.ts';

/** The record of a new message feed, created by the viewer. */
export function messageFeedRecord(
  context: Context,
  { channel, name, _id = new ObjectId() }: { channel: ChannelRecord; name: string; _id?: ObjectId },
): MessageFeedRecord {
  const { userId, userInternalId } = viewerOf(context);
  const messageFeedId = _id.toHexString();
  const now = context.now();
  return {
    _id,
    networkId: channel.networkId,
    messageFeedId,
    channelId: channel.channelId,
    channelInternalId: channel._id.toHexString(),
    channelType: channel.type,
    name,
    userId,
    userInternalId,
    path: `${channel.path}/${messageFeedId}`,
    lastMessageId: null,
    messagePreviewId: null,
    lastMessageTimestamp: null,
    lastSegment: 0,
    childCount: 0,
    isDefault: messageFeedId === channel.defaultMessageFeedId,
    isDeleted: false,
    editedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Inserts the default feed of a new channel. */
export async function insertDefaultFeed(
  context: Context,
  session: ClientSession,
  channel: ChannelRecord,
): Promise<void> {
  const _id = new ObjectId(channel.defaultMessageFeedId);
  const feed = messageFeedRecord(context, { channel, name: channel.displayName, _id });
  await insertMessageFeed(context, session, feed);
}

export async function insertMessageFeed(
  context: Context,
  session: ClientSession,
  feed: MessageFeedRecord,
): Promise<void> {
  await context.store.collections.messageFeeds.insertOne(feed, { session });
}
