import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { highestRank } from '../../role/rank.ts';
import { liveRolesInTransaction } from '../../role/roles-in-transaction.ts';

/**
 * Checks in a transaction that a user does not rank above the viewer. Writes the user's record, so that a concurrent change
 * of their roles conflicts and the later of the two is evaluated again.
 *
 * @param rank the viewer's, as `requireNetworkRight` returns it
 * @throws {OperationError} NOT_FOUND for a user who was deleted meanwhile; PERMISSION_DENIED
 */
export async function requireRankOver(
  context: Context,
  session: ClientSession,
  { networkId, userId, rank }: Pick<UserRecord, 'networkId' | 'userId'> & { rank: number },
): Promise<void> {
  const user = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId, isDeleted: false },
    { $set: { touchedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!user) throw notFound('User');
  const held = await liveRolesInTransaction(context, session, networkId, user.roles);
  if (highestRank(held) > rank) {
    throw new OperationError('PERMISSION_DENIED', { message: 'This user ranks higher than you.', path: ['userId'] });
  }
}
