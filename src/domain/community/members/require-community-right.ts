import type { ClientSession } from 'mongodb';
import { isBannedFrom } from '../../../access/community.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import { permissionsFrom } from '../../../store/role-cache.ts';
import type { CommunityPlace } from '../get-community.ts';

/**
 * Checks a permission again in a transaction, because the viewer may have lost it since the request was authorized: of
 * two moderators who ban each other concurrently, the later one is rejected. Reads nothing for a viewer who has the
 * permission in the network.
 *
 * @returns the viewer's membership as the transaction sees it
 * @throws {OperationError} BANNED, PERMISSION_DENIED
 */
export async function requireCommunityRight(
  context: Context,
  session: ClientSession,
  { community: { networkId, communityId }, membership }: CommunityPlace,
  may: (viewer: Viewer, membership: CommunityUserRecord | null) => boolean,
): Promise<CommunityUserRecord | null> {
  const viewer = viewerOf(context);
  if (may(viewer, null)) return membership;
  const { communityUsers } = context.store.collections;
  const [found, roles] = await Promise.all([
    communityUsers.findOne({ networkId, communityId, userId: viewer.userId }, { session }),
    context.store.roleCache.rolesOf(networkId),
  ]);
  const own = found && {
    ...withoutEndedBan(found, context.hasPassed),
    permissions: permissionsFrom(roles, found.roles),
  };
  if (may(viewer, own)) return own;
  throw new OperationError(isBannedFrom(own) ? 'BANNED' : 'PERMISSION_DENIED');
}
