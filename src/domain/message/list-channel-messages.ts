import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Page } from '../../store/page.ts';
import type { ChannelRecord, MessageRecord } from '../../store/records/chat.ts';
import { requireChannelAccess } from '../channel/get-channel.ts';
import { getMessageFeed } from '../message-feed/get-message-feed.ts';
import { listMessages, type MessageQuery } from './list-messages.ts';

/**
 * A page of the messages of the default feed of a channel, by segment.
 * @throws {OperationError} BANNED, FORBIDDEN or NOT_FOUND when the viewer does not see inside the channel; see also
 *   {@link listMessages}
 */
export async function listChannelMessages(
  context: Context,
  channel: ChannelRecord,
  query: MessageQuery,
): Promise<Page<MessageRecord>> {
  await requireChannelAccess(context, channel);
  const feed = await getMessageFeed(context, { messageFeedId: channel.defaultMessageFeedId });
  if (!feed) throw notFound('MessageFeed');
  return listMessages(context, feed, query);
}
