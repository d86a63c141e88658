import { randomUUID } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import type { Context } from '../../context.ts';
import type { SessionRecord, UserRecord } from '../../store/records/user.ts';

export interface CreatedSession {
  accessToken: string;
  refreshToken: string;
  issuedAt: Date;
  expiresAt: Date;
  user: UserRecord;
}

interface NewSession {
  user: UserRecord;
  deviceId: string | null;
  /** In milliseconds. */
  lifetime: number;
}

/**
 * Creates a session. A device belongs to one user: sessions of other users on the device end, and it no longer receives
 * their push notifications.
 */
export async function insertSession(
  context: Context,
  transaction: ClientSession,
  { user, deviceId, lifetime }: NewSession,
): Promise<SessionRecord> {
  const now = context.now();
  const session: SessionRecord = {
    _id: new ObjectId(),
    networkId: user.networkId,
    sessionId: randomUUID(),
    userId: user.userId,
    userInternalId: user._id.toHexString(),
    ...(user.userType && { userType: user.userType }),
    deviceId,
    roles: user.roles,
    permissions: user.permissions,
    hasBlocks: (user.blockCount ?? 0) > 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
    revokedAt: null,
  };
  const { sessions, pushDevices } = context.store.collections;
  if (deviceId) {
    const ofOthers = { networkId: user.networkId, deviceId, userId: { $ne: user.userId } };
    const revoked = { $set: { revokedAt: now, updatedAt: now } };
    await sessions.updateMany({ ...ofOthers, revokedAt: null }, revoked, { session: transaction });
    await pushDevices.deleteOne(ofOthers, { session: transaction });
  }
  await sessions.insertOne(session, { session: transaction });
  return session;
}

/** The access token of a new session. */
export async function issueToken(
  context: Context,
  { networkId, userId, userInternalId, sessionId: id, createdAt: issuedAt, expiresAt }: SessionRecord,
  user: UserRecord,
): Promise<CreatedSession> {
  const claims = { networkId, userId, userInternalId, id, issuedAt, expiresAt };
  const accessToken = await context.tokens.sign({ kind: 'access', ...claims });
  return { accessToken, refreshToken: '', issuedAt, expiresAt, user };
}
