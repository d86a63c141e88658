import type { ClientSession } from 'mongodb';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import { highestRank, permissionsOf } from '../../role/rank.ts';
import { liveRolesInTransaction } from '../../role/roles-in-transaction.ts';

export interface NetworkRights {
  permissions: ReadonlySet<string>;
  rank: number;
}

/**
 * Checks a network permission again in a transaction, because the viewer may have lost it since the request was
 * authorized. Writes the viewer's record, so that of two users who take it from each other concurrently the later one
 * retries and is rejected.
 *
 * @param may the policy function
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function requireNetworkRight(
  context: Context,
  session: ClientSession,
  may: (viewer: Viewer) => boolean,
): Promise<NetworkRights> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const own = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId, isDeleted: false },
    { $set: { touchedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  const isBanned = own !== null && withoutEndedBan(own, context.hasPassed).isGlobalBan;
  const held = await liveRolesInTransaction(context, session, networkId, own?.roles ?? []);
  const permissions = new Set(permissionsOf(held));
  if (!own || isBanned || !may({ ...viewer, permissions })) throw new OperationError('PERMISSION_DENIED');
  return { permissions, rank: highestRank(held) };
}
