import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';

type Whose = Pick<UserRecord, 'networkId' | 'userId'>;

/** Ends all sessions of a user, in the transaction that bans or deletes them. */
export async function endSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Whose,
): Promise<void> {
  const now = context.now();
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { revokedAt: now, updatedAt: now } },
    { session },
  );
}

/** Tells the sessions of a user whether they block anybody, in the transaction of the first and last block. */
export async function updateBlocksOfSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Whose,
  hasBlocks: boolean,
): Promise<void> {
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { hasBlocks, updatedAt: context.now() } },
    { session },
  );
}

/** Gives the sessions of a user the roles they have now, in the transaction that changes them. */
export async function updateSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId, roles, permissions }: Whose & Pick<UserRecord, 'roles' | 'permissions'>,
): Promise<void> {
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { roles, permissions, updatedAt: context.now() } },
    { session },
  );
}
