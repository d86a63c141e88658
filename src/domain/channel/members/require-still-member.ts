import type { ClientSession } from 'mongodb';
import { isChannelMember } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { isKnownToHave } from '../../../store/write-together.ts';

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
  const { channelUsers } = context.store.collections;
  const own = { networkId, channelId, userId };
  if (await isKnownToHave(channelUsers, own, { membership: 'member' }, session)) return;
  const membership = await channelUsers.findOne(own, { session });
  if (!isChannelMember(membership)) throw new OperationError('FORBIDDEN');
}
