import type { NewEvent } from '../../events/append-events.ts';
import type { MessageRecord } from '../../store/records/chat.ts';

type MessageEventName = Extract<NewEvent, { data: { messageId: string } }>['type'];
type ReactionEventName = Extract<MessageEventName, `message.reaction${string}`>;

/** An event about a message. */
export function messageEvent(
  type: Exclude<MessageEventName, ReactionEventName>,
  { path, messageId }: Pick<MessageRecord, 'path' | 'messageId'>,
): NewEvent {
  return { type, path, data: { messageId } };
}
