import type { z } from 'zod';
import { canRevokeSessions } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { SessionRecord } from '../../store/records/user.ts';
import { validate } from '../input.ts';
import { ranksAbove } from '../user/require-user.ts';
import { userIdInput } from '../user/user-id-input.ts';

/** The newest sessions are listed, of which a user has one per sign-in. */
const MAX_SESSIONS = 100;

export type ListedSession = Pick<SessionRecord, 'sessionId' | 'deviceId' | 'createdAt' | 'expiresAt'>;

/**
 * The newest sessions of a user that have not ended, at most 100: one’s own, or for users who may end them.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank; INVALID_PARAMETERS
 */
export async function listSessions(context: Context, input: z.input<typeof userIdInput>): Promise<ListedSession[]> {
  const viewer = viewerOf(context);
  const { userId } = validate(userIdInput, input);
  if (!canRevokeSessions(viewer, { userId })) throw new OperationError('PERMISSION_DENIED');
  if (userId !== viewer.userId) {
    const user = await context.load.users.load(userId);
    if (!user) throw notFound('User');
    if (await ranksAbove(context, user)) throw new OperationError('PERMISSION_DENIED');
  }
  const sessions = await context.store.collections.sessions
    .find({ networkId: viewer.networkId, userId, revokedAt: null })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_SESSIONS)
    .toArray();
  return sessions.filter(({ expiresAt }) => !context.hasPassed(expiresAt));
}
