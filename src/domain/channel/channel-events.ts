import type { NewEvent } from '../../events/append.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';

type ChannelEventName = Exclude<Extract<NewEvent, { data: { channelId: string } }>['type'], `message-feed.${string}`>;
export type ChannelUsersEventName = Extract<NewEvent, { data: { channelId: string; userIds: string[] } }>['type'];

type Where = Pick<ChannelRecord, 'path' | 'channelId'>;

/** That something happened to a channel. Its first members and its first feed come with `channel.created`. */
export function channelEvent(
  type: Exclude<ChannelEventName, ChannelUsersEventName>,
  { path, channelId }: Where,
): NewEvent {
  return { type, path, data: { channelId } };
}

/** That something happened to users in a channel; nothing when there are none. */
export function channelUsersEvents(
  type: ChannelUsersEventName,
  { path, channelId }: Where,
  userIds: readonly string[],
): NewEvent[] {
  return userIds.length === 0 ? [] : [{ type, path, data: { channelId, userIds: [...userIds] } }];
}
