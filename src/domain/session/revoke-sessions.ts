import type { z } from 'zod';
import { canRevokeSessions } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { removeLoginLinks } from '../network/login-links.ts';
import { requireUser } from '../user/require-user.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { requireRankOver } from '../user/roles/require-rank-over.ts';
import { userIdInput } from '../user/user-id-input.ts';
import { endSessions } from './end-sessions.ts';

/**
 * Ends all sessions of a user, as a ban does, and removes the registrations of their devices and their unused login links.
 * The user can sign in again.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank; INVALID_PARAMETERS
 */
export async function revokeSessions(context: Context, input: z.input<typeof userIdInput>): Promise<void> {
  const { networkId, userId: ownId } = viewerOf(context);
  const { userId } = validate(userIdInput, input);
  await requireUser(context, userId, canRevokeSessions);
  await context.transaction(
    async (session) => {
      if (userId !== ownId) {
        const { rank } = await requireNetworkRight(context, session, (viewer) => canRevokeSessions(viewer, { userId }));
        await requireRankOver(context, session, { networkId, userId, rank });
      }
      await endSessions(context, session, { networkId, userId });
      await removeLoginLinks(context, session, { networkId, userId });
      if (userId !== ownId)
        await recordAudit(context, session, [{ subjectType: 'user', subjectId: userId, affectedUserId: userId }]);
    },
    lockFor(context, 'user', userId),
  );
}
