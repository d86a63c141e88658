import type { ClientSession } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { permissionsFrom } from '../../../store/role-cache.ts';
import { type Rights, requireRight } from '../../user/roles/require-right.ts';

/**
 * Checks a right in a channel again in a transaction, as `requireCommunityRight`.
 *
 * @param may the policy function
 * @throws {OperationError} BANNED, PERMISSION_DENIED
 */
export function requireChannelRight(
  context: Context,
  session: ClientSession,
  { channel: { channelId }, membership }: ChannelPlace,
  may: (viewer: Viewer, membership: ChannelUserRecord | null) => boolean,
): Promise<Rights<ChannelUserRecord>> {
  const { networkId, userId } = viewerOf(context);
  const { collections, roleCache } = context.store;
  return requireRight(context, session, {
    may,
    membership,
    async read() {
      const [found, roles] = await Promise.all([
        collections.channelUsers.findOne({ networkId, channelId, userId }, { session }),
        roleCache.rolesOf(networkId),
      ]);
      if (!found) return null;
      return { ...withoutEndedBan(found, context.hasPassed), permissions: permissionsFrom(roles, found.roles) };
    },
  });
}
