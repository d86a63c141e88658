import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { removeMqttSessions } from '../mqtt-session/mqtt-session.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;

/** Revokes all sessions of a banned or deleted user, and removes the registrations and topics of their devices. */
export async function endSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<void> {
  const now = context.now();
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { revokedAt: now, updatedAt: now } },
    { session },
  );
  await context.store.collections.pushDevices.deleteMany({ networkId, userId }, { session });
  await removeMqttSessions(context, session, { networkId, userIds: [userId] });
}

/**
 * Revokes one session, and removes the registration of its device.
 * @throws {OperationError} NOT_FOUND if the user has no such session, or it has ended
 */
export async function endSession(
  context: Context,
  session: ClientSession,
  { networkId, userId, sessionId }: UserKey & { sessionId: string },
): Promise<void> {
  const now = context.now();
  const { sessions, pushDevices } = context.store.collections;
  const ended = await sessions.findOneAndUpdate(
    { networkId, sessionId, userId, revokedAt: null },
    { $set: { revokedAt: now, updatedAt: now } },
    { session, projection: { _id: 0, deviceId: 1 } },
  );
  if (!ended) throw notFound('Session');
  const { deviceId } = ended;
  if (deviceId) await pushDevices.deleteOne({ networkId, deviceId, userId }, { session });
}

/** Updates the sessions of a user who blocked their first user or unblocked their last. */
export async function updateBlocksOfSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId }: UserKey,
  hasBlocks: boolean,
): Promise<void> {
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { hasBlocks, updatedAt: context.now() } },
    { session },
  );
}

/** Copies a user's new roles to their sessions. */
export async function updateSessions(
  context: Context,
  session: ClientSession,
  { networkId, userId, roles, permissions }: UserKey & Pick<UserRecord, 'roles' | 'permissions'>,
): Promise<void> {
  await context.store.collections.sessions.updateMany(
    { networkId, userId, revokedAt: null },
    { $set: { roles, permissions, updatedAt: context.now() } },
    { session },
  );
}
