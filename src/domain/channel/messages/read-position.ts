import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { viewerOf } from '../../../context.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { updateEachOf } from '../../../store/write-together.ts';

type ReadPosition = Pick<ChannelUserRecord, 'channelId' | 'userId' | 'readToSegment'>;

/**
 * Raises the read positions of members in the default feed. Memberships repeat them; those of other feeds are only in
 * markers.
 */
export async function raiseReadPosition(
  context: Context,
  session: ClientSession,
  positions: ReadPosition[],
): Promise<void> {
  if (positions.length === 0) return;
  const { networkId } = viewerOf(context);
  await updateEachOf(
    context.store.collections.channelUsers,
    positions.map(({ channelId, userId, readToSegment }) => ({
      filter: { networkId, channelId, userId },
      update: { $max: { readToSegment } },
    })),
    session,
  );
}
