import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { newUser } from './new-user.ts';

interface Wanted {
  networkId: string;
  userId: string;
  /** Name of a user who is created. */
  displayName: string;
  createsUnknown: boolean;
}

/**
 * A user who signs in. Their record is written in any case, so that a concurrent ban, deletion or promotion conflicts.
 * @returns null for an unknown user who is not to be created
 */
export async function findOrCreateUser(
  context: Context,
  session: ClientSession,
  { networkId, userId, displayName, createsUnknown }: Wanted,
): Promise<{ user: UserRecord; isNew: boolean } | null> {
  const now = context.now();
  const unknown = newUser({ networkId, userId, displayName, now });
  const user = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId },
    { $set: { touchedAt: now }, ...(createsUnknown && { $setOnInsert: unknown }) },
    { session, upsert: createsUnknown, returnDocument: 'after' },
  );
  return user && { user, isNew: user._id.equals(unknown._id) };
}
