import { type ClientSession, ObjectId } from 'mongodb';
import { refusalToSend } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { together } from '../../store/transaction.ts';
import { insertInto } from '../../store/write-together.ts';
import { findInsideChannel } from '../channel/get-channel.ts';
import { countInChannel } from '../channel/messages/count-message.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { feedMarkerEvent, markerEvent } from '../marker/marker-events.ts';
import { moveSenderMarker } from '../marker/positions/mentions.ts';
import { countInFeed } from '../message-feed/count-message.ts';
import { type FeedPlace, findMessageFeed } from '../message-feed/get-message-feed.ts';
import { indexNewMessage } from '../search-index/index-record.ts';
import { requireNotBlocked, writePartners } from '../user/blocks/blocks.ts';
import { contentOf } from './content/message-content.ts';
import { invalidateMessage } from './invalidate-message.ts';
import { type Mentions, mentionsOf, requireStillMentionable, storeMentions } from './mentions/mentions.ts';
import { messageEvent } from './message-events.ts';
import { type NewMessage, sendMessageInput } from './message-input.ts';

/**
 * Sends a message to a feed, or to the default feed of a channel. It gets the feed's next segment and marks the feed as
 * read for the sender. The number of writes does not depend on the number of members, because unread counts follow from
 * their read positions.
 *
 * @throws {OperationError} NOT_FOUND when the feed, the parent message or a file does not exist, is deleted or not
 *   visible; FORBIDDEN for users who are no members, for non-moderators in a broadcast, and in a conversation of two
 *   users of whom one blocked the other, and in the live chat on the feed of such a user; BANNED, USER_MUTED,
 *   CHANNEL_MUTED, RATE_LIMITED; INVALID_PARAMETERS for bounds, data that does not fit its type, and unknown users
 */
export async function sendMessage(context: Context, input: NewMessage): Promise<MessageRecord> {
  const viewer = viewerOf(context);
  const given = validate(sendMessageInput, input);
  const place = await requireFeedPlace(context, given);
  const refusal = refusalToSend(viewer, place, context.hasPassed);
  if (refusal) throw refusal;
  const { parentId = null } = given;
  const dataType = given.dataType ?? 'text';
  const [partners, content, mentions, , parent] = await Promise.all([
    writePartners(context, place.channel),
    contentOf(context, dataType, given),
    mentionsOf(context, place, given.mentionedUsers ?? []),
    requireAllowedText(context, [given.data?.text, given.data?.caption]),
    parentId === null ? null : context.load.messages.load(parentId),
  ]);
  if (parentId !== null && (parent?.messageFeedId !== place.feed.messageFeedId || parent.isDeleted)) {
    throw notFound('Message to reply to');
  }
  const draft: Draft = {
    ...content,
    dataType,
    parentId,
    tags: given.tags ?? [],
    metadata: given.metadata ?? {},
    mentionedUsers: mentions.mentionedUsers,
    referenceId: given.referenceId ?? null,
  };
  const message = await context.transaction(
    (session) => write(context, session, { place, draft, mentions, parent, partners }),
    lockFor(context, 'channel', place.channel.channelId),
  );
  invalidateMessage(context, message);
  return message;
}

type Draft = Pick<
  MessageRecord,
  | 'data'
  | 'fileId'
  | 'thumbnailFileId'
  | 'dataType'
  | 'parentId'
  | 'tags'
  | 'metadata'
  | 'mentionedUsers'
  | 'referenceId'
>;

async function requireFeedPlace(
  context: Context,
  { messageFeedId, channelId }: { messageFeedId?: string | null | undefined; channelId?: string | null | undefined },
): Promise<FeedPlace> {
  if ((messageFeedId == null) === (channelId == null)) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['Exactly one of messageFeedId and channelId is required.'],
      path: ['messageFeedId'],
    });
  }
  const feedId = messageFeedId ?? (await findInsideChannel(context, channelId!))?.channel.defaultMessageFeedId;
  if (feedId === undefined) throw notFound('Channel');
  const place = await findMessageFeed(context, feedId);
  if (!place || place.feed.isDeleted || place.channel.isDeleted) throw notFound('Message feed');
  return place;
}

async function write(
  context: Context,
  session: ClientSession,
  {
    place,
    draft,
    mentions,
    parent,
    partners,
  }: { place: FeedPlace; draft: Draft; mentions: Mentions; parent: MessageRecord | null; partners: string[] },
): Promise<MessageRecord> {
  const { userId, userInternalId } = viewerOf(context);
  const { messages } = context.store.collections;
  const _id = new ObjectId();
  const messageId = _id.toHexString();
  const sentAt = context.now();
  const feed = await countInFeed(context, session, { feed: place.feed, messageId, sentAt });
  if (!feed) throw notFound('Message feed');
  const { networkId, messageFeedId, channelId, channelInternalId, channelType, lastSegment: segment } = feed;
  const message: MessageRecord = {
    _id,
    networkId,
    messageId,
    channelId,
    channelInternalId,
    channelType,
    messageFeedId,
    userId,
    userInternalId,
    path: `${feed.path}/${messageId}`,
    segment,
    ...draft,
    reactionCount: 0,
    reactions: {},
    latestReaction: null,
    flagCount: 0,
    hashFlag: null,
    childCount: 0,
    isDeleted: false,
    editedAt: null,
    createdAt: sentAt,
    updatedAt: sentAt,
  };
  const isDefault = messageFeedId === place.channel.defaultMessageFeedId;
  const moved = { networkId, entityId: channelInternalId, feedId: messageFeedId };
  await together(session, [
    () => requireNotBlocked(context, partners, { session }),
    () => requireStillMentionable(context, session, mentions),
    () => insertInto(messages, [message], session),
    () => indexNewMessage(context, session, message),
    () => countInChannel(context, session, { place, messageId, sentAt, segment: isDefault ? segment : null }),
    parent && (() => countReply(context, session, parent)),
    () => moveSenderMarker(context, session, { feed, segment, userId }),
    () =>
      appendEvents(context, session, [
        messageEvent('message.created', message),
        markerEvent(viewerOf(context), [messageFeedId]),
        feedMarkerEvent('marker.feed-updated', moved, segment),
      ]),
  ]);
  // After the channel was counted, which reads the mention of everybody that precedes this message.
  await storeMentions(context, session, { place: { ...place, feed }, segment, userId, mentions });
  return message;
}

/** @throws {OperationError} NOT_FOUND when the parent was deleted meanwhile */
async function countReply(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId, segment, messageId }: MessageRecord,
): Promise<void> {
  const { matchedCount } = await context.store.collections.messages.updateOne(
    { networkId, messageFeedId, segment, messageId, isDeleted: false },
    { $inc: { childCount: 1 } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Message to reply to');
}
