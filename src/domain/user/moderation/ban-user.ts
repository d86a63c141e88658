import type { z } from 'zod';
import { canBanUser } from '../../../access/user.ts';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { bannedOn, withoutEndedBan } from '../../../store/ended-bans.ts';
import type { BanTerms } from '../../../store/records/ban.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { banAct, banFields, banTerms, changesTerms } from '../../ban/ban-terms.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles } from '../../role/rank.ts';
import { endSessions } from '../../session/end-sessions.ts';
import { requireUser } from '../require-user.ts';
import { requireNetworkRight } from '../roles/require-network-right.ts';
import { userEvent } from '../user-events.ts';
import { userIdInput } from '../user-id-input.ts';

export const banUserInput = userIdInput.extend(banFields);

/**
 * Bans a user from the network: their sessions end, and they cannot sign in until the ban ends. Memberships are kept
 * for then. For a banned user it only changes the terms, if any are given.
 *
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CANNOT_BAN for a user of a higher rank; INVALID_PARAMETERS
 */
export async function banUser(context: Context, input: z.input<typeof banUserInput>): Promise<UserRecord> {
  const given = validate(banUserInput, input);
  const ban = banTerms(context, given);
  const user = await requireUser(context, given.userId, canBanUser);
  const keepsTerms = user.isGlobalBan && !changesTerms(given);
  return changeBan(context, user, {
    isGlobalBan: true,
    ban: keepsTerms ? undefined : ban,
    event: 'user.didGlobalBan',
  });
}

/** Unbans a user. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, NOT_BANNED */
export async function unbanUser(context: Context, input: z.input<typeof userIdInput>): Promise<UserRecord> {
  const { userId } = validate(userIdInput, input);
  const user = await requireUser(context, userId, canBanUser);
  if (!user.isGlobalBan) throw new OperationError('NOT_BANNED');
  return changeBan(context, user, { isGlobalBan: false, ban: undefined, event: 'user.didGlobalUnban' });
}

interface BanChange {
  isGlobalBan: boolean;
  /** New terms; undefined keeps those of a ban, and removes them with it. */
  ban: BanTerms | undefined;
  event: 'user.didGlobalBan' | 'user.didGlobalUnban';
}

async function changeBan(
  context: Context,
  { networkId, userId }: UserRecord,
  { isGlobalBan, ban, event }: BanChange,
): Promise<UserRecord> {
  const changed = await context.transaction(
    async (session) => {
      const own = await requireNetworkRight(context, session, (viewer) => canBanUser(viewer, { userId }));
      const set = { isGlobalBan, updatedAt: context.now() };
      const stored = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId, isDeleted: false },
        isGlobalBan && !ban ? { $set: set } : bannedOn(ban, set),
        { session, returnDocument: 'before' },
      );
      if (!stored) throw notFound('User');
      const before = withoutEndedBan(stored, context.hasPassed);
      const rankOf = await rankOfRoles(context);
      if (rankOf(before.roles) > own.rank) {
        throw new OperationError('CANNOT_BAN', { message: 'This user ranks higher than you.', path: ['userId'] });
      }
      if (isGlobalBan) await endSessions(context, session, before);
      const isNew = before.isGlobalBan !== isGlobalBan;
      const act = { subjectType: 'user', subjectId: userId, affectedUserId: userId, ...banAct(ban) } as const;
      if (isNew || ban) await recordAudit(context, session, [act]);
      if (isNew) await appendEvents(context, session, [userEvent(event, before)]);
      const { ban: earlier, ...rest } = before;
      const terms = isGlobalBan ? (ban ?? earlier) : undefined;
      return { ...rest, ...set, ...(terms && { ban: terms }) };
    },
    lockFor(context, 'user', userId),
  );
  context.load.users.clear(userId);
  return changed;
}
