import type { ClientSession } from 'mongodb';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { highestRank, permissionsOf } from '../../role/rank.ts';
import { liveRolesIn } from '../../role/roles-in.ts';

export interface Standing {
  permissions: ReadonlySet<string>;
  rank: number;
}

/**
 * What the viewer may in the network, as it is in a transaction: they may have lost it since the request was let in.
 * Their record is written, so that of two who take it from each other at once the later one starts again and sees it.
 *
 * @param may the right
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function requireNetworkRight(
  context: Context,
  session: ClientSession,
  may: (viewer: Viewer) => boolean,
): Promise<Standing> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const own = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId, isDeleted: false, isGlobalBan: false },
    { $set: { touchedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  const held = await liveRolesIn(context, session, networkId, own?.roles ?? []);
  const permissions = new Set(permissionsOf(held));
  if (!own || !may({ ...viewer, permissions })) throw new OperationError('PERMISSION_DENIED');
  return { permissions, rank: highestRank(held) };
}
