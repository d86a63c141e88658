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
  /** Hash of the code that is exchanged for the tokens; without one, they are issued immediately. */
  codeHash?: string | null;
}

/** How long a code can be exchanged. Until then its session exists without tokens. */
const LOGIN_CODE_MS = 60_000;

/**
 * Creates a session. A device belongs to one user: sessions of other users on the device end, and it no longer receives
 * their push notifications.
 */
export async function insertSession(
  context: Context,
  transaction: ClientSession,
  { user, deviceId, lifetime, codeHash = null }: NewSession,
): Promise<SessionRecord> {
  const now = context.now();
  const endsAt = new Date(now.getTime() + lifetime);
  const expiresAt = codeHash === null ? endsAt : new Date(now.getTime() + LOGIN_CODE_MS);
  const hasRefreshToken = context.config.ACCESS_TOKEN_MINUTES > 0;
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
    expiresAt,
    revokedAt: null,
    ...(hasRefreshToken && { refreshGeneration: 0, accessExpiresAt: accessExpiryOf(context, expiresAt) }),
    ...(codeHash !== null && { loginCode: { hash: codeHash, expiresAt: endsAt } }),
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

/** When an access token that is issued now expires: after ACCESS_TOKEN_MINUTES, and not after its session. */
export function accessExpiryOf(context: Context, expiresAt: Date): Date {
  const soon = context.now().getTime() + context.config.ACCESS_TOKEN_MINUTES * 60_000;
  return new Date(Math.min(soon, expiresAt.getTime()));
}

/**
 * The current tokens of a session. The refresh token is empty for a session without one; both are empty when the client
 * receives them in cookies.
 */
export async function issueToken(context: Context, session: SessionRecord, user: UserRecord): Promise<CreatedSession> {
  const { networkId, userId, userInternalId, sessionId: id, refreshGeneration: generation } = session;
  const issuedAt = session.refreshedAt ?? session.createdAt;
  const expiresAt = session.accessExpiresAt ?? session.expiresAt;
  const claims = { networkId, userId, userInternalId, id, issuedAt };
  const accessToken = await context.tokens.sign({ kind: 'access', ...claims, expiresAt });
  const refreshToken =
    generation === undefined
      ? ''
      : await context.tokens.sign({
          kind: 'refresh',
          networkId,
          userId,
          id,
          issuedAt,
          expiresAt: session.expiresAt,
          generation,
        });
  const store = context.sessionCookies?.store;
  if (!store) return { accessToken, refreshToken, issuedAt, expiresAt, user };
  store({ accessToken, refreshToken, sessionExpiresAt: session.expiresAt });
  return { accessToken: '', refreshToken: '', issuedAt, expiresAt, user };
}
