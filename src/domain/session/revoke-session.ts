import { type Context, viewerOf } from '../../context.ts';

/** Ends the viewer's session: its token is refused from now on. */
export async function revokeSession(context: Context): Promise<void> {
  const { networkId, sessionId } = viewerOf(context);
  const now = context.now();
  await context.store.collections.sessions.updateOne(
    { networkId, sessionId },
    { $set: { revokedAt: now, updatedAt: now } },
  );
}
