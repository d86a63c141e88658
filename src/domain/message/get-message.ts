import { canModerateMessages } from '../../access/channel.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { ChannelUserRecord, MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import { canReadFeed, type FeedPlace, findMessageFeed } from '../message-feed/get-message-feed.ts';
import { recordsByIds } from '../records-by-ids.ts';

export interface MessagePlace extends FeedPlace {
  message: MessageRecord;
}

/** A message as the viewer may see it, with its feed and channel; null when the viewer does not see it. */
export async function findMessage(context: Context, messageId: string): Promise<MessagePlace | null> {
  viewerOf(context);
  const message = await context.load.messages.load(messageId);
  const place = message && (await findMessageFeed(context, message.messageFeedId));
  return place && { ...place, message: presentMessage(context, message, place.membership) };
}

export async function getMessage(
  context: Context,
  { messageId }: { messageId: string },
): Promise<MessageRecord | null> {
  return (await findMessage(context, messageId))?.message ?? null;
}

/**
 * Messages by ids, in the order of the ids and without duplicates, without those the viewer does not see.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_IDS} ids
 */
export async function getMessages(
  context: Context,
  { messageIds }: { messageIds: readonly string[] },
): Promise<MessageRecord[]> {
  viewerOf(context);
  return recordsByIds(messageIds, { name: 'messageIds' }, (messageId) => getMessage(context, { messageId }));
}

/** A message as the viewer may see it: only moderators read the content of deleted messages. */
export function presentMessage(
  context: Context,
  message: MessageRecord,
  membership: ChannelUserRecord | null,
): MessageRecord {
  if (!message.isDeleted || canModerateMessages(viewerOf(context), membership)) return message;
  return { ...message, data: {}, metadata: {}, fileId: null, thumbnailFileId: null, tags: [], mentionedUsers: [] };
}

/** The message that a feed refers to, for users who can read the feed. */
export async function messageOfFeed(
  context: Context,
  feed: MessageFeedRecord,
  messageId: string | null,
): Promise<MessageRecord | null> {
  return messageId !== null && (await canReadFeed(context, feed)) ? linkedMessage(context, messageId) : null;
}

/** The message that a visible message or channel refers to. */
export async function linkedMessage(context: Context, messageId: string | null): Promise<MessageRecord | null> {
  const message = messageId === null ? null : await context.load.messages.load(messageId);
  if (!message) return null;
  const membership = await context.load.channelUsers.load([message.channelId, viewerOf(context).userId]);
  return presentMessage(context, message, membership);
}
