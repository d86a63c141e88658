import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { turnAt } from '../turn.ts';
import { forgetChannel } from './new-channel.ts';

/**
 * Sets fields of a channel that is not deleted. The caller has checked rights.
 * @throws {OperationError} NOT_FOUND when it was deleted meanwhile
 */
export async function changeChannel(
  context: Context,
  { networkId, channelId }: ChannelRecord,
  set: Partial<ChannelRecord>,
): Promise<ChannelRecord> {
  const changed = await context.transaction(
    (session) =>
      context.store.collections.channels.findOneAndUpdate(
        { networkId, channelId, isDeleted: false },
        { $set: { ...set, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      ),
    turnAt(context, 'channel', channelId),
  );
  if (!changed) throw notFound('Channel');
  forgetChannel(context, changed);
  return changed;
}
