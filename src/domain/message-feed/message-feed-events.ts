import type { NewEvent } from '../../events/append.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

type MessageFeedEventName = Extract<NewEvent['type'], `message-feed.${string}`>;

/** That something happened to a message feed; what it held goes with `message-feed.deleted`. */
export function messageFeedEvent(
  type: MessageFeedEventName,
  { path, messageFeedId, channelId }: Pick<MessageFeedRecord, 'path' | 'messageFeedId' | 'channelId'>,
): NewEvent {
  return { type, path, data: { messageFeedId, channelId } };
}
