import type { NewEvent } from '../../events/append-events.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';

type ChannelEventName = Exclude<Extract<NewEvent, { data: { channelId: string } }>['type'], `message-feed.${string}`>;
export type ChannelUsersEventName = Extract<NewEvent, { data: { channelId: string; userIds: string[] } }>['type'];

type ChannelKey = Pick<ChannelRecord, 'path' | 'channelId'>;

/** An event about a channel. `channel.created` also stands for its first members and its first feed. */
export function channelEvent(
  type: Exclude<ChannelEventName, ChannelUsersEventName>,
  { path, channelId }: ChannelKey,
): NewEvent {
  return { type, path, data: { channelId } };
}

/** An event about users in a channel; none for an empty list. */
export function channelUsersEvents(
  type: ChannelUsersEventName,
  { path, channelId }: ChannelKey,
  userIds: readonly string[],
): NewEvent[] {
  return userIds.length === 0 ? [] : [{ type, path, data: { channelId, userIds: [...userIds] } }];
}
