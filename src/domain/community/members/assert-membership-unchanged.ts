import type { ClientSession } from 'mongodb';
import { isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { CommunityPlace } from '../get-community.ts';

/**
 * Sees to it that the viewer is in a community what they were when their rights were read: the transaction may have
 * waited for its turn behind the very one that banned them. Who was no member has their rights from the network.
 *
 * @throws {OperationError} BANNED; FORBIDDEN for whoever is no member any more; CONFLICT when their roles changed
 */
export async function assertMembershipUnchanged(
  context: Context,
  session: ClientSession,
  { community: { communityId }, membership }: CommunityPlace,
): Promise<void> {
  if (!membership || !isMember(membership)) return;
  const { networkId, userId } = viewerOf(context);
  const { communityUsers } = context.store.collections;
  const now = await communityUsers.findOne({ networkId, communityId, userId }, { session });
  if (isBannedFrom(now)) throw new OperationError('BANNED');
  if (!now || !isMember(now)) throw new OperationError('FORBIDDEN');
  if (now.roles.join() !== membership.roles.join()) throw new OperationError('CONFLICT');
}
