import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';

/**
 * The segment of the default feed's newest message that mentions the member, by name or as everybody; 0 for none.
 */
export function lastMentionOf(
  { userId, lastMentionedSegment }: ChannelUserRecord,
  channel: Pick<ChannelRecord, 'channelMention'> | null,
): number {
  const everybody = channel?.channelMention;
  return Math.max(lastMentionedSegment, everybody && everybody.userId !== userId ? everybody.segment : 0);
}
