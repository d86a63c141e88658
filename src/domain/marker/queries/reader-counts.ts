import type { Context } from '../../../context.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import type { ReaderCounts } from '../../../store/segments.ts';

/** How many users besides its author have received and read a message; concurrent calls share one command per feed. */
export async function getReaderCounts(
  { load }: Context,
  { messageFeedId, segment, userId: author }: MessageRecord,
): Promise<ReaderCounts> {
  return (await load.readerCounts.load({ messageFeedId, segment, author })) ?? { readCount: 0, deliveredCount: 0 };
}
