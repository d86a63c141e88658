import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';

/** The segment of the channel's default feed that last mentioned a member, by name or with everybody; 0 for none. */
export function lastMentionOf(
  { userId, lastMentionedSegment }: ChannelUserRecord,
  channel: Pick<ChannelRecord, 'channelMention'> | null,
): number {
  const everybody = channel?.channelMention;
  return Math.max(lastMentionedSegment, everybody && everybody.userId !== userId ? everybody.segment : 0);
}
