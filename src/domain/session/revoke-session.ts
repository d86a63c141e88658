import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';

export const revokeSessionInput = z.object({});

/** Revokes the viewer's session. Its device no longer receives push notifications for them. */
export async function revokeSession(context: Context): Promise<void> {
  const { networkId, userId, sessionId } = viewerOf(context);
  const now = context.now();
  const { sessions, pushDevices } = context.store.collections;
  await context.transaction(async (session) => {
    const revoked = await sessions.findOneAndUpdate(
      { networkId, sessionId },
      { $set: { revokedAt: now, updatedAt: now } },
      { session, projection: { _id: 0, deviceId: 1 } },
    );
    if (revoked?.deviceId) await pushDevices.deleteOne({ networkId, deviceId: revoked.deviceId, userId }, { session });
  });
  context.sessionCookies?.clear();
}
