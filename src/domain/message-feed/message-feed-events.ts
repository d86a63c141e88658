import type { NewEvent } from '../../events/append-events.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

type MessageFeedEventName = Extract<NewEvent['type'], `message-feed.${string}`>;

/** An event about a message feed; `message-feed.deleted` also stands for its messages. */
export function messageFeedEvent(
  type: MessageFeedEventName,
  { path, messageFeedId, channelId }: Pick<MessageFeedRecord, 'path' | 'messageFeedId' | 'channelId'>,
): NewEvent {
  return { type, path, data: { messageFeedId, channelId } };
}
