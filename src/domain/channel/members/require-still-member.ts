import type { ClientSession } from 'mongodb';
import { isChannelMember } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';

/**
 * Sees to it that the viewer is a member of a channel still: the transaction may have waited for its turn, and they may
 * have been banned or have left meanwhile.
 * @throws {OperationError} FORBIDDEN
 */
export async function requireStillMember(
  context: Context,
  session: ClientSession,
  { channelId }: { channelId: string },
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const membership = await context.store.collections.channelUsers.findOne(
    { networkId, channelId, userId },
    { session },
  );
  if (!isChannelMember(membership)) throw new OperationError('FORBIDDEN');
}
