import type { ClientSession, Filter } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageRecord } from '../../store/records/chat.ts';

interface Reader {
  session: ClientSession;
  networkId: string;
  messageFeedId: string;
  userId: string;
}

/** How many messages after a segment a reader has not read: neither their own nor deleted ones. */
export function countUnread(
  context: Context,
  { session, userId, afterSegment, ...feed }: Reader & { afterSegment: number },
): Promise<number> {
  const filter: Filter<MessageRecord> = {
    ...feed,
    segment: { $gt: afterSegment },
    isDeleted: false,
    userId: { $ne: userId },
  };
  return context.store.collections.messages.countDocuments(filter, { session });
}

/** Segment of the newest message of others that mentions the reader or the whole channel; 0 when none does. */
export async function lastMentionSegment(context: Context, { session, userId, ...feed }: Reader): Promise<number> {
  const mention = await context.store.collections.messages.findOne(
    {
      ...feed,
      userId: { $ne: userId },
      mentionedUsers: { $elemMatch: { $or: [{ type: 'channel' }, { userIds: userId }] } },
    },
    { session, sort: { segment: -1 }, projection: { segment: 1 } },
  );
  return mention?.segment ?? 0;
}
