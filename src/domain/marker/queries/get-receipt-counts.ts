import type { Context } from '../../../context.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import type { ReceiptCounts } from '../../../store/segments.ts';

/** Members of a channel above which receipts are not counted, because a count reads the markers of all of them. */
export const MAX_COUNTED_MEMBERS = 1_000;

const NOT_COUNTED: ReceiptCounts = { readCount: 0, deliveredCount: 0 };

/**
 * How many users other than its author have read and received a message, former members included. Zeros in channels of
 * more than {@link MAX_COUNTED_MEMBERS} members.
 */
export async function getReceiptCounts(
  { load }: Context,
  { channelId, messageFeedId, segment, userId }: MessageRecord,
): Promise<ReceiptCounts> {
  const channel = await load.channels.load(channelId);
  if (!channel || channel.memberCount > MAX_COUNTED_MEMBERS) return NOT_COUNTED;
  return (await load.receiptCounts.load({ messageFeedId, segment, author: userId })) ?? NOT_COUNTED;
}
