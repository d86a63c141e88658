import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** A person at an OpenID Connect provider. */
export interface Identity {
  issuer: string;
  /** The claim `sub`. */
  subject: string;
}

/** The public id of the users of identities without a claim for ids. */
export function derivedUserId(identity: Identity): string {
  return `oidc-${hashOf(identity).slice(0, 40)}`;
}

/**
 * Connects a user to an identity, unless they belong to it already.
 * @param mayConnect whether a user without an identity may be connected
 * @throws {OperationError} FORBIDDEN for a user who may not be connected, or belongs to another identity
 */
export async function connectIdentity(
  { store }: Context,
  session: ClientSession,
  { user, identity, mayConnect }: { user: UserRecord; identity: Identity; mayConnect: boolean },
): Promise<void> {
  const identityHash = hashOf(identity);
  if (user.identityHash === identityHash) return;
  if (user.identityHash !== undefined || !mayConnect) {
    throw new OperationError('FORBIDDEN', { message: 'A user with this id exists, and belongs to somebody else.' });
  }
  const { networkId, userId } = user;
  await store.collections.users.updateOne({ networkId, userId }, { $set: { identityHash } }, { session });
}

/** The provider and the person, in a form that no two identities share. */
function hashOf({ issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]), 'utf8')
    .digest('hex');
}
