import { ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { text, validate } from '../input.ts';
import { networkOfApiKey } from '../network/find-network.ts';

export const unregisterPushDeviceInput = z.object({
  deviceId: text({ max: 150 })
    .nullish()
    .describe('Id of the device. Default: the device of the session of the access token.'),
});

export const registerPushDeviceInput = z.object({
  deviceId: text({ max: 150 }).describe('Id of the device.'),
  userId: text({ max: 50 }).describe('Public id of the user, who has a session on the device.'),
  platform: z.enum(['ios', 'android']).describe('Platform of the device.'),
  token: text({ max: 4_000 }).describe('Token of the device at the push service of its platform.'),
});

/**
 * Registers a device for the push notifications of a user, replacing its earlier registration.
 * @throws {OperationError} UNAUTHORIZED for a wrong API key, or unless the user has a session on the device;
 *   INVALID_PARAMETERS
 */
export async function registerPushDevice(
  context: Context,
  input: z.input<typeof registerPushDeviceInput>,
): Promise<void> {
  const { deviceId, userId, platform, token } = validate(registerPushDeviceInput, input);
  const { networkId } = await networkOfApiKey(context);
  const now = context.now();
  const { sessions, pushDevices } = context.store.collections;
  await context.transaction(async (session) => {
    // The key of the network is in every client: without this check, anyone could receive the notifications of others.
    const current = await sessions.findOne(
      { networkId, deviceId, userId, revokedAt: null, expiresAt: { $gt: now } },
      { session, projection: { _id: 0, sessionId: 1 } },
    );
    if (!current) throw new OperationError('UNAUTHORIZED', { message: 'The user has no session on this device.' });
    // Makes a concurrent logout or ban conflict, which could otherwise miss the registration.
    const { sessionId } = current;
    await sessions.updateOne({ networkId, sessionId }, { $set: { updatedAt: now } }, { session });
    await pushDevices.updateOne(
      { networkId, deviceId },
      { $set: { userId, platform, token, updatedAt: now }, $setOnInsert: { _id: new ObjectId(), createdAt: now } },
      { session, upsert: true },
    );
  });
}

/**
 * Removes the registration of a device, if there is one.
 * @throws {OperationError} UNAUTHORIZED for a wrong API key; INVALID_PARAMETERS without a device or a session on one
 */
export async function unregisterPushDevice(
  context: Context,
  input: z.input<typeof unregisterPushDeviceInput>,
): Promise<void> {
  const { deviceId } = validate(unregisterPushDeviceInput, input);
  const { networkId } = await networkOfApiKey(context);
  const named = deviceId ?? (await deviceOfSession(context, networkId));
  if (!named) throw new OperationError('INVALID_PARAMETERS', { detail: ['deviceId: required'], path: ['deviceId'] });
  await context.store.collections.pushDevices.deleteOne({ networkId, deviceId: named });
}

async function deviceOfSession({ viewer, load }: Context, networkId: string): Promise<string | null> {
  if (viewer?.networkId !== networkId) return null;
  const session = await load.sessions.load(viewer.sessionId);
  return session?.deviceId ?? null;
}
