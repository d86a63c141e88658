import { z } from 'zod';
import { canDeleteUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { id, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { rankOfRoles } from '../role/rank.ts';
import { DELETED_ACCOUNT, endAccount } from './end-account.ts';
import { requireUser } from './require-user.ts';
import { requireNetworkRight } from './roles/require-network-right.ts';
import { finishAfterRequest, recheckedLater } from './update-memberships.ts';

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
  const { networkId } = await requireUser(context, userId!, canDeleteUser);
  const { anonymous, hasMore } = await context.transaction(
    async (session) => {
      const isOwn = userId === viewer.userId;
      const own = isOwn
        ? null
        : await requireNetworkRight(context, session, (now) => canDeleteUser(now, { userId: userId! }));
      const before = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId: userId!, isDeleted: false },
        { $set: { ...DELETED_ACCOUNT, ...recheckedLater(context), updatedAt: context.now() } },
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
      const anonymous = { ...before, ...DELETED_ACCOUNT };
      const act = { subjectType: 'user', subjectId: userId!, affectedUserId: userId! } as const;
      await recordAudit(context, session, isOwn ? [] : [act]);
      const { hasMore } = await endAccount(context, session, anonymous);
      return { anonymous, hasMore };
    },
    lockFor(context, 'user', userId!),
  );
  context.load.users.clear(userId!);
  if (hasMore) await context.afterCommit(() => finishAfterRequest(context, anonymous));
  return anonymous;
}
