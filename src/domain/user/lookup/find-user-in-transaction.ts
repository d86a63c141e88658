import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/** Reads a user in a transaction. @returns null for a user who is deleted or does not exist */
export async function findUserInTransaction(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Pick<UserRecord, 'networkId' | 'userId'>,
): Promise<UserRecord | null> {
  return context.store.collections.users.findOne({ networkId, userId, isDeleted: false }, { session });
}
