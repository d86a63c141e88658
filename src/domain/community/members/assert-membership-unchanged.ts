import type { ClientSession } from 'mongodb';
import { isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import { isKnownToHave } from '../../../store/write-together.ts';
import type { CommunityPlace } from '../get-community.ts';

/**
 * Checks in a transaction that the viewer's membership and roles are still those that authorized the request: the
 * transaction may have waited for one that banned them. Does nothing for viewers who were no members, because they act
 * with permissions of the network.
 *
 * @throws {OperationError} BANNED; FORBIDDEN for a viewer who is no longer a member; CONFLICT when their roles changed
 */
export async function assertMembershipUnchanged(
  context: Context,
  session: ClientSession,
  { community: { communityId }, membership }: CommunityPlace,
): Promise<void> {
  if (!membership || !isMember(membership)) return;
  const { networkId, userId } = viewerOf(context);
  const { communityUsers } = context.store.collections;
  const { communityMembership, roles } = membership;
  const own = { networkId, communityId, userId };
  if (await isKnownToHave(communityUsers, own, { communityMembership, roles }, session)) return;
  const stored = await communityUsers.findOne(own, { session });
  const now = stored && withoutEndedBan(stored, context.hasPassed);
  if (isBannedFrom(now)) throw new OperationError('BANNED');
  if (!now || !isMember(now)) throw new OperationError('FORBIDDEN');
  if (now.roles.join() !== membership.roles.join()) throw new OperationError('CONFLICT');
}
