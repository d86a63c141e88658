import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { eachBatch } from '../../store/keyset.ts';
import type { PushDeviceRecord, SessionRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { MAX_BATCH } from '../batch.ts';
import { validate } from '../input.ts';
import { removeMqttSessions } from '../mqtt-session/mqtt-session.ts';
import { removeLoginLinks } from '../network/login-links.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { endSessions } from './end-sessions.ts';

export const revokeAllSessionsInput = z.object({
  keepsOwn: z.boolean().nullish().describe('Whether the session of the request is kept. Default: false.'),
});

type EndedSession = Pick<SessionRecord, 'sessionId' | 'userId' | 'deviceId'>;

/**
 * Ends the sessions of all users and visitors of the network, and removes all registrations of devices, also those of
 * sessions that expired before, MQTT topics and unused login links. Everyone can sign in again; a session that is created while this runs may survive.
 *
 * Sessions end in batches, the viewer's last: after an error the call can be repeated and continues. The first transaction
 * contains the entry of the audit log, so that an interrupted call is in it.
 *
 * @throws {OperationError} PERMISSION_DENIED; INVALID_PARAMETERS
 */
export async function revokeAllSessions(
  context: Context,
  input: z.input<typeof revokeAllSessionsInput>,
): Promise<void> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const keepsOwn = validate(revokeAllSessionsInput, input).keepsOwn ?? false;
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  const startedAt = context.now();
  await context.transaction(async (session) => {
    await requireNetworkRight(context, session, canChangeNetworkSettings);
    await removeLoginLinks(context, session, { networkId });
    const act = { action: 'revokeAllSessions', subjectType: 'network', subjectId: networkId } as const;
    await recordAudit(context, session, [{ ...act, details: { keepsOwn } }]);
  });
  const kept = await context.load.sessions.load(viewer.sessionId);
  await endOtherSessions(context, kept?.deviceId ?? null);
  await removePushDevices(context, { keptDeviceId: kept?.deviceId ?? null, startedAt });
  if (!keepsOwn) await context.transaction((session) => endSessions(context, session, { networkId, userId }));
}

/** In the order of the random session ids, which the shard key contains, so that the pass ends while users sign in. */
async function endOtherSessions(context: Context, keptDeviceId: string | null): Promise<void> {
  const { networkId, sessionId } = viewerOf(context);
  const others = context.store.collections.sessions
    .find({ networkId, sessionId: { $ne: sessionId }, revokedAt: null })
    .sort({ networkId: 1, sessionId: 1 })
    .project<EndedSession>({ _id: 0, sessionId: 1, userId: 1, deviceId: 1 })
    .batchSize(MAX_BATCH);
  await eachBatch<EndedSession>(others, async (batch) => {
    await endBatch(context, batch, keptDeviceId);
    return true;
  });
}

/** @param keptDeviceId device of the viewer's session, which earlier sessions of the viewer can share */
async function endBatch(context: Context, batch: readonly EndedSession[], keptDeviceId: string | null): Promise<void> {
  const { networkId, userId: ownId } = viewerOf(context);
  const { sessions, pushDevices } = context.store.collections;
  const sessionIds = batch.map(({ sessionId }) => sessionId);
  const deviceIds = batch.flatMap(({ deviceId }) => (deviceId === null || deviceId === keptDeviceId ? [] : deviceId));
  // MQTT sessions belong to a user, not to a session: the kept session of the viewer may use theirs.
  const userIds = [...new Set(batch.map(({ userId }) => userId))].filter((userId) => userId !== ownId);
  const now = context.now();
  await context.transaction(async (session) => {
    await sessions.updateMany(
      { networkId, sessionId: { $in: sessionIds }, revokedAt: null },
      { $set: { revokedAt: now, updatedAt: now } },
      { session },
    );
    await pushDevices.deleteMany({ networkId, deviceId: { $in: deviceIds } }, { session });
    await removeMqttSessions(context, session, { networkId, userIds });
  });
}

/**
 * Removes the registrations that are left: those of sessions that expired, which nothing else removes. A device that was
 * registered meanwhile belongs to a new session.
 */
async function removePushDevices(
  context: Context,
  { keptDeviceId, startedAt }: { keptDeviceId: string | null; startedAt: Date },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { pushDevices } = context.store.collections;
  const isLeft = { updatedAt: { $lte: startedAt } };
  const left = pushDevices
    .find({ networkId, deviceId: { $ne: keptDeviceId as string }, ...isLeft })
    .sort({ networkId: 1, deviceId: 1 })
    .project<Pick<PushDeviceRecord, 'deviceId'>>({ _id: 0, deviceId: 1 })
    .batchSize(MAX_BATCH);
  await eachBatch<Pick<PushDeviceRecord, 'deviceId'>>(left, async (batch) => {
    await pushDevices.deleteMany({ networkId, deviceId: { $in: batch.map(({ deviceId }) => deviceId) }, ...isLeft });
    return true;
  });
}
