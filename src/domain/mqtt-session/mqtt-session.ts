import { createHash } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { LIVE_LIMITS } from '../../limits/limits.ts';

/** One connection of an MQTT client. The record of the session names the newest one of all processes. */
export interface MqttConnectionKey {
  /** Chosen by the client. */
  clientId: string;
  /** Internal id of the session. */
  sessionId: string;
  connectionId: string;
}

/**
 * Identifies a new connection of a client. The id of the session is a hash of its user and client identifier, so that
 * connections of one client find each other even if the record was removed and created again.
 */
export function newMqttConnection({ networkId, userId }: Viewer, clientId: string): MqttConnectionKey {
  const hash = createHash('sha256')
    .update(compositeKey(networkId, userId, clientId))
    .digest('hex');
  return { clientId, sessionId: hash.slice(0, 24), connectionId: new ObjectId().toHexString() };
}

/**
 * Opens the stored session of an MQTT client, or creates it, and reports the connection to all gateway processes. A
 * session belongs to the user, not to the token, so that it continues with a renewed token. The session of a connection
 * with a clean session has no topics and ends with it.
 *
 * @returns its topics, oldest first; null for a new session
 */
export async function openMqttSession(
  context: Context,
  { clientId, sessionId, connectionId }: MqttConnectionKey,
  { isClean }: { isClean: boolean },
): Promise<string[] | null> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  const now = context.now();
  const before = await mqttSessions.findOneAndUpdate(
    { networkId, userId, clientId },
    {
      $set: { connectionId, isClean, expiresAt: expiryAfter(now), updatedAt: now },
      $setOnInsert: { _id: new ObjectId(sessionId), topics: [], createdAt: now },
    },
    { upsert: true, returnDocument: 'before' },
  );
  if (before && !before.isClean && !isClean && before.expiresAt > now) return before.topics;
  // The TTL index removes expired sessions with a delay.
  if (before && before.topics.length > 0) {
    await mqttSessions.updateOne({ networkId, userId, clientId, connectionId }, { $set: { topics: [] } });
  }
  if (!isClean) await removeUnusedSessions(context);
  return null;
}

/** Removes the sessions beyond the limit of the user, those unused for longest first. */
async function removeUnusedSessions(context: Context): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  const sessions = await mqttSessions
    .find({ networkId, userId, isClean: false })
    .project<{ clientId: string; expiresAt: Date }>({ _id: 0, clientId: 1, expiresAt: 1 })
    .toArray();
  const unused = sessions
    .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime())
    .slice(LIVE_LIMITS.mqttSessions)
    .map(({ clientId }) => clientId);
  if (unused.length > 0) await mqttSessions.deleteMany({ networkId, userId, clientId: { $in: unused } });
}

/** Adds and removes topics of a session. Concurrent connections of the same client keep each other's changes. */
export async function changeMqttTopics(
  context: Context,
  { clientId, sessionId, connectionId }: MqttConnectionKey,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  const now = context.now();
  const key = { networkId, userId, clientId };
  if (removed.length > 0) {
    await mqttSessions.updateOne(key, { $pullAll: { topics: [...removed] }, $set: { updatedAt: now } });
  }
  if (added.length > 0) {
    await mqttSessions.updateOne(
      key,
      {
        $addToSet: { topics: { $each: [...added] } },
        $set: { updatedAt: now, expiresAt: expiryAfter(now) },
        // It was removed as unused, or expired, while this connection was open.
        $setOnInsert: { _id: new ObjectId(sessionId), connectionId, isClean: false, createdAt: now },
      },
      { upsert: true },
    );
  }
}

/** Postpones the expiry of a session whose client is still connected. */
export async function extendMqttSession(context: Context, { clientId }: MqttConnectionKey): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const now = context.now();
  await context.store.collections.mqttSessions.updateOne(
    { networkId, userId, clientId },
    { $set: { expiresAt: expiryAfter(now), updatedAt: now } },
  );
}

/** Removes the session of a connection with a clean session, unless the client has connected again. */
export async function removeCleanSession(
  context: Context,
  { clientId, connectionId }: MqttConnectionKey,
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  await mqttSessions.deleteOne({ networkId, userId, clientId, connectionId, isClean: true });
}

/** Removes the sessions of users who were banned, deleted or signed out. */
export async function removeMqttSessions(
  context: Context,
  session: ClientSession,
  { networkId, userIds }: { networkId: string; userIds: string[] },
): Promise<void> {
  await context.store.collections.mqttSessions.deleteMany({ networkId, userId: { $in: userIds } }, { session });
}

function expiryAfter(now: Date): Date {
  return new Date(now.getTime() + LIVE_LIMITS.mqttSessionMs);
}
