import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';

export const revokeSessionInput = z.object({});

/** Revokes the viewer's session. */
export async function revokeSession(context: Context): Promise<void> {
  const { networkId, sessionId } = viewerOf(context);
  const now = context.now();
  await context.store.collections.sessions.updateOne(
    { networkId, sessionId },
    { $set: { revokedAt: now, updatedAt: now } },
  );
}
