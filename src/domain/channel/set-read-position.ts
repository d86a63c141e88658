import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';

/** A member's record repeats how far they have come in the channel's default feed; other feeds leave no trace there. */
export async function setReadPosition(
  context: Context,
  { session, channelId, marker }: { session: ClientSession; channelId: string; marker: UserFeedMarkerRecord },
): Promise<void> {
  const { networkId, userId, readToSegment, lastMentionSegment } = marker;
  await context.store.collections.channelUsers.updateOne(
    { networkId, channelId, userId },
    { $set: { readToSegment, lastMentionedSegment: lastMentionSegment } },
    { session },
  );
}
