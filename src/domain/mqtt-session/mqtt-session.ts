import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { LIVE_LIMITS } from '../../limits/limits.ts';

/** Identifies the stored session of an MQTT client of the context's viewer. */
export interface MqttSessionKey {
  clientId: string;
}

/**
 * Opens the stored session of an MQTT client, or creates it. A session belongs to the user, not to the token, so that it
 * continues with a renewed token.
 *
 * @returns its topics, oldest first; null for a session that was created
 */
export async function openMqttSession(context: Context, { clientId }: MqttSessionKey): Promise<string[] | null> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  const now = context.now();
  const before = await mqttSessions.findOneAndUpdate(
    { networkId, userId, clientId },
    {
      $set: { expiresAt: expiryAfter(now), updatedAt: now },
      $setOnInsert: { _id: new ObjectId(), topics: [], createdAt: now },
    },
    { upsert: true, returnDocument: 'before' },
  );
  if (before && before.expiresAt > now) return before.topics;
  // The TTL index has not removed it yet.
  if (before) await mqttSessions.updateOne({ networkId, userId, clientId }, { $set: { topics: [] } });
  else await removeUnusedSessions(context);
  return null;
}

/** Removes the sessions beyond the limit of the user, those unused for longest first. */
async function removeUnusedSessions(context: Context): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { mqttSessions } = context.store.collections;
  const sessions = await mqttSessions
    .find({ networkId, userId })
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
  { clientId }: MqttSessionKey,
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
        $setOnInsert: { _id: new ObjectId(), createdAt: now },
      },
      { upsert: true },
    );
  }
}

/** Postpones the expiry of a session whose client is still connected. */
export async function extendMqttSession(context: Context, { clientId }: MqttSessionKey): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const now = context.now();
  await context.store.collections.mqttSessions.updateOne(
    { networkId, userId, clientId },
    { $set: { expiresAt: expiryAfter(now), updatedAt: now } },
  );
}

/** Removes a session: the client connected with a clean session. */
export async function removeMqttSession(context: Context, { clientId }: MqttSessionKey): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  await context.store.collections.mqttSessions.deleteOne({ networkId, userId, clientId });
}

function expiryAfter(now: Date): Date {
  return new Date(now.getTime() + LIVE_LIMITS.mqttSessionMs);
}
