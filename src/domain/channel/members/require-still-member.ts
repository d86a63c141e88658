import type { ClientSession } from 'mongodb';
import { isChannelMember } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';

/**
 * Checks in a transaction that the viewer is still a member, because it may have waited for a lock.
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
