import type { ClientSession } from 'mongodb';
import { canSeeInsideChannel } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { together } from '../../../store/transaction.ts';
import { currentMembership } from '../../user/roles/require-right.ts';

interface ChannelId {
  channelId: string;
}

/**
 * A channel with the viewer's membership, as a transaction sees them. Sends two statements together, so that it must not
 * be the first of the transaction.
 * @throws {OperationError} NOT_FOUND
 */
export async function channelInTransaction(
  context: Context,
  session: ClientSession,
  { channelId }: ChannelId,
): Promise<ChannelPlace> {
  const { networkId, userId } = viewerOf(context);
  const { channels, channelUsers } = context.store.collections;
  const [channel, membership] = await together(session, [
    () => channels.findOne({ networkId, channelId, isDeleted: false }, { session }),
    () => currentMembership(context, channelUsers.findOne({ networkId, channelId, userId }, { session })),
  ]);
  if (!channel) throw notFound('Channel');
  return { channel, membership };
}

/**
 * Checks in a transaction that the viewer still sees inside a channel, because it may have waited for a lock.
 * @throws {OperationError} NOT_FOUND
 */
export async function requireChannelStillVisible(
  context: Context,
  session: ClientSession,
  named: ChannelId,
): Promise<void> {
  const { channel, membership } = await channelInTransaction(context, session, named);
  if (!canSeeInsideChannel(viewerOf(context), channel, membership)) throw notFound('Channel');
}
