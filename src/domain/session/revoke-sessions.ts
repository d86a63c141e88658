import type { z } from 'zod';
import { canRevokeSessions } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { id, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { removeLoginLinks } from '../network/login-links.ts';
import { requireUser } from '../user/require-user.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { requireRankOver } from '../user/roles/require-rank-over.ts';
import { userIdInput } from '../user/user-id-input.ts';
import { endSession, endSessions } from './end-sessions.ts';

export const revokeSessionsInput = userIdInput.extend({
  sessionId: id(100).nullish().describe('Only this session of the user, from `userSessions`. Default: all.'),
});

/**
 * Ends all sessions of a user, as a ban does, and removes the registrations of their devices and their unused login links; or
 * ends one session, with the registration of its device. The user can sign in again.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank; INVALID_PARAMETERS
 */
export async function revokeSessions(context: Context, input: z.input<typeof revokeSessionsInput>): Promise<void> {
  const { networkId, userId: ownId, sessionId: ownSessionId } = viewerOf(context);
  const { userId, sessionId } = validate(revokeSessionsInput, input);
  await requireUser(context, userId, canRevokeSessions);
  await context.transaction(
    async (session) => {
      if (userId !== ownId) {
        const { rank } = await requireNetworkRight(context, session, (viewer) => canRevokeSessions(viewer, { userId }));
        await requireRankOver(context, session, { networkId, userId, rank });
      }
      if (sessionId) await endSession(context, session, { networkId, userId, sessionId });
      else {
        await endSessions(context, session, { networkId, userId });
        await removeLoginLinks(context, session, { networkId, userId });
      }
      const act = { subjectType: 'user', subjectId: userId, affectedUserId: userId } as const;
      const details = sessionId ? { sessionId } : {};
      if (userId !== ownId) await recordAudit(context, session, [{ ...act, details }]);
    },
    lockFor(context, 'user', userId),
  );
  if (userId === ownId && (!sessionId || sessionId === ownSessionId)) context.sessionCookies?.clear();
}
