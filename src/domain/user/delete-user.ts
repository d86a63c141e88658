import { z } from 'zod';
import { canDeleteUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { ANONYMOUS_PROFILE } from '../../store/records/anonymous-profile.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { id, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { rankOfRoles } from '../role/rank.ts';
import { indexUser } from '../search-index/index-record.ts';
import { endSessions } from '../session/end-sessions.ts';
import { requireUser } from './require-user.ts';
import { requireNetworkRight } from './roles/require-network-right.ts';
import { finishAfterRequest, updateMemberships } from './update-memberships.ts';
import { userEvent } from './user-events.ts';

export const deleteUserInput = z.object({
  userId: id(50).nullish().describe('Public id of the user; the viewer by default.'),
});

/**
 * Deletes an account, the viewer's own by default: memberships, roles, join requests and sessions end, and the profile
 * and every copy of the name are anonymized. Posts, messages and files are kept.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank
 */
export async function deleteUser(context: Context, input: z.input<typeof deleteUserInput>): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const { userId = viewer.userId } = validate(deleteUserInput, { userId: input.userId ?? viewer.userId });
  const anonymized = { ...ANONYMOUS_PROFILE, isDeleted: true, roles: [], permissions: [] };
  const { networkId } = await requireUser(context, userId!, canDeleteUser);
  const { anonymous, hasMore } = await context.transaction(
    async (session) => {
      const isOwn = userId === viewer.userId;
      const own = isOwn
        ? null
        : await requireNetworkRight(context, session, (now) => canDeleteUser(now, { userId: userId! }));
      const before = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId: userId!, isDeleted: false },
        { $set: { ...anonymized, updatedAt: context.now() } },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('User');
      const rankOf = await rankOfRoles(context);
      if (own && rankOf(before.roles) > own.rank) {
        throw new OperationError('PERMISSION_DENIED', {
          message: 'This user ranks higher than you.',
          path: ['userId'],
        });
      }
      const anonymous = { ...before, ...anonymized };
      await indexUser(context, session, anonymous);
      const { events, hasMore } = await updateMemberships(context, session, anonymous);
      await endSessions(context, session, before);
      const act = { subjectType: 'user', subjectId: userId!, affectedUserId: userId! } as const;
      await recordAudit(context, session, isOwn ? [] : [act]);
      await appendEvents(context, session, [userEvent('user.deleted', anonymous), ...events]);
      return { anonymous, hasMore };
    },
    lockFor(context, 'user', userId!),
  );
  context.load.users.clear(userId!);
  if (hasMore) await context.afterCommit(() => finishAfterRequest(context, anonymous));
  return anonymous;
}
