import type { z } from 'zod';
import { canBanUser } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles } from '../../role/rank.ts';
import { endSessions } from '../../session/end-sessions.ts';
import { requireUser } from '../require-user.ts';
import { requireNetworkRight } from '../roles/require-network-right.ts';
import { userEvent } from '../user-events.ts';
import { userIdInput } from '../user-id-input.ts';

/**
 * Bans a user from the network: their sessions end, and they cannot sign in. Memberships are kept for when they are
 * unbanned. Banning a banned user changes nothing.
 *
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CANNOT_BAN for a user of a higher rank
 */
export function banUser(context: Context, input: z.input<typeof userIdInput>): Promise<UserRecord> {
  return setBan(context, input, true);
}

/** Unbans a user. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, NOT_BANNED */
export function unbanUser(context: Context, input: z.input<typeof userIdInput>): Promise<UserRecord> {
  return setBan(context, input, false);
}

async function setBan(context: Context, input: z.input<typeof userIdInput>, isGlobalBan: boolean): Promise<UserRecord> {
  const { networkId } = viewerOf(context);
  const { userId } = validate(userIdInput, input);
  const user = await requireUser(context, userId, canBanUser);
  if (!isGlobalBan && !user.isGlobalBan) throw new OperationError('NOT_BANNED');
  const changed = await context.transaction(
    async (session) => {
      const own = await requireNetworkRight(context, session, (viewer) => canBanUser(viewer, { userId }));
      const set = { isGlobalBan, updatedAt: context.now() };
      const before = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId, isDeleted: false },
        { $set: set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('User');
      const rankOf = await rankOfRoles(context);
      if (rankOf(before.roles) > own.rank) {
        throw new OperationError('CANNOT_BAN', { message: 'This user ranks higher than you.', path: ['userId'] });
      }
      if (isGlobalBan) await endSessions(context, session, before);
      if (before.isGlobalBan !== isGlobalBan) {
        const type = isGlobalBan ? 'user.didGlobalBan' : 'user.didGlobalUnban';
        await recordAudit(context, session, [{ subjectType: 'user', subjectId: userId, affectedUserId: userId }]);
        await appendEvents(context, session, [userEvent(type, before)]);
      }
      return { ...before, ...set };
    },
    lockFor(context, 'user', userId),
  );
  context.load.users.clear(userId);
  return changed;
}
