import type { NewEvent } from '../../events/append.ts';
import type { MessageRecord } from '../../store/records/chat.ts';

type MessageEventName = Extract<NewEvent, { data: { messageId: string } }>['type'];
type Reacted = Extract<MessageEventName, `message.reaction${string}`>;

/** That something happened to a message. */
export function messageEvent(
  type: Exclude<MessageEventName, Reacted>,
  { path, messageId }: Pick<MessageRecord, 'path' | 'messageId'>,
): NewEvent {
  return { type, path, data: { messageId } };
}
