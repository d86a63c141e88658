import { z } from 'zod';
import { canEditFeeds } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { refusal } from '../channel/refusal.ts';
import { touchChannel, uncountFeedInChannel } from '../channel/touch-channel.ts';
import { checked, id } from '../input.ts';
import { newestOfChannel } from '../message/newest-message.ts';
import { turnAt } from '../turn.ts';
import { feedName } from './create-message-feed.ts';
import { type FeedPlace, findMessageFeed } from './get-message-feed.ts';

const renaming = z.object({ messageFeedId: id(30), name: feedName() });

/**
 * Gives a message feed another name.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL, INVALID_PARAMETERS
 */
export async function updateMessageFeed(context: Context, input: z.input<typeof renaming>): Promise<MessageFeedRecord> {
  const { messageFeedId, name } = checked(renaming, input);
  const { channel, feed } = await enter(context, messageFeedId);
  const renamed = await context.transaction(
    (session) => {
      const now = context.now();
      return context.store.collections.messageFeeds.findOneAndUpdate(
        { networkId: feed.networkId, messageFeedId, isDeleted: false },
        { $set: { name, editedAt: now, updatedAt: now } },
        { session, returnDocument: 'after' },
      );
    },
    turnAt(context, 'channel', channel.channelId),
  );
  if (!renamed) throw notFound('Message feed');
  forget(context, renamed);
  return renamed;
}

const deletion = z.object({ messageFeedId: id(30) });

/**
 * Deletes a message feed: its messages can no longer be read, and count nowhere.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL, BAD_REQUEST for the feed that the channel
 *   began with
 */
export async function deleteMessageFeed(context: Context, input: z.input<typeof deletion>): Promise<MessageFeedRecord> {
  const { messageFeedId } = checked(deletion, input);
  const { channel, feed } = await enter(context, messageFeedId);
  if (feed.isDefault) {
    throw new OperationError('BAD_REQUEST', { message: 'The first message feed of a channel stays.' });
  }
  const deleted = await context.transaction(
    async (session) => {
      const gone = await context.store.collections.messageFeeds.findOneAndUpdate(
        { networkId: feed.networkId, messageFeedId, isDeleted: false },
        { $set: { isDeleted: true, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      );
      if (!gone) return null;
      // First, so that a message which is sent to another feed meanwhile is not forgotten in the preview.
      await touchChannel(context, session, channel);
      const newest = await newestOfChannel(context, session, gone);
      await uncountFeedInChannel(context, session, { channel, messages: gone.childCount, newest });
      return gone;
    },
    turnAt(context, 'channel', channel.channelId),
  );
  if (!deleted) throw notFound('Message feed');
  forget(context, deleted);
  return deleted;
}

async function enter(context: Context, messageFeedId: string): Promise<FeedPlace> {
  const place = await findMessageFeed(context, messageFeedId);
  if (!place || place.feed.isDeleted || place.channel.isDeleted) throw notFound('Message feed');
  if (!canEditFeeds(viewerOf(context), place)) throw refusal(place.membership);
  return place;
}

function forget({ load }: Context, { messageFeedId, channelId, channelInternalId }: MessageFeedRecord): void {
  load.messageFeeds.clear(messageFeedId);
  load.messageFeedsOfChannel.clear(channelId);
  load.channels.clear(channelId);
  load.channelsByInternalId.clear(channelInternalId);
}
