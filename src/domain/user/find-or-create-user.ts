import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { indexUser } from '../search-index/index-record.ts';
import { newUser } from './new-user.ts';

interface Wanted {
  networkId: string;
  userId: string;
  /** Display name for a new user. */
  displayName: string;
  createsUnknown: boolean;
}

/**
 * The user who signs in. Always writes their record, so that a concurrent ban, deletion or promotion conflicts.
 * @returns null for an unknown user if the network does not create users at sign-in
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
  if (!user) return null;
  const isNew = user._id.equals(unknown._id);
  if (isNew) await indexUser(context, session, user);
  return { user, isNew };
}
