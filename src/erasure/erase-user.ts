import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import { canEraseUser } from '../access/user.ts';
import { type Context, viewerOf } from '../context.ts';
import { recordAudit } from '../domain/audit/record-audit.ts';
import { id, text, validate } from '../domain/input.ts';
import { lockFor } from '../domain/lock-for.ts';
import { rankOfRoles } from '../domain/role/rank.ts';
import { DELETED_ACCOUNT, endAccount } from '../domain/user/end-account.ts';
import { requireNetworkRight } from '../domain/user/roles/require-network-right.ts';
import { recheckedLater } from '../domain/user/update-memberships.ts';
import { notFound, OperationError } from '../errors.ts';
import { continueAfterRequest } from '../limits/continue-after-request.ts';
import { DELETED_USER_NAME } from '../store/records/anonymous-profile.ts';
import type { ErasedContent, UserErasureRecord } from '../store/records/erasure.ts';
import type { UserRecord } from '../store/records/user.ts';
import { runErasure } from './run-erasure.ts';

/** Maximum length of the reason of an erasure. */
const MAX_REASON = 300;

export const eraseUserInput = z.object({
  userId: id(50).describe('Public id of the user, whose account may already be deleted.'),
  content: z
    .enum(['keep', 'remove'])
    .describe('Whether posts, comments, stories, messages, polls, rooms and video streams are kept or removed.'),
  reason: text({ min: 1, max: MAX_REASON }).describe(
    'Reason for the audit log, which keeps it: name a request number, not the person.',
  ),
});

/**
 * Deletes an account, unless it is deleted already, and erases the data of the person in steps that continue after the
 * request and in other processes. Repeating it changes nothing, except that `remove` after `keep` removes the content too.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank
 */
export async function eraseUser(context: Context, input: z.input<typeof eraseUserInput>): Promise<UserErasureRecord> {
  const { networkId } = viewerOf(context);
  const { userId, content, reason } = validate(eraseUserInput, input);
  if (!canEraseUser(viewerOf(context))) throw new OperationError('PERMISSION_DENIED');
  const { users, userErasures } = context.store.collections;
  const erasure = await context.transaction(
    async (session) => {
      const own = await requireNetworkRight(context, session, canEraseUser);
      const user = await users.findOne({ networkId, userId }, { session });
      if (!user) throw notFound('User');
      const rankOf = await rankOfRoles(context);
      if (rankOf(user.roles) > own.rank) {
        throw new OperationError('PERMISSION_DENIED', {
          message: 'This user ranks higher than you.',
          path: ['userId'],
        });
      }
      const known = await userErasures.findOne({ networkId, userId }, { session });
      if (known && (known.content === content || known.content === 'remove')) return known;
      await recordAudit(context, session, [
        { subjectType: 'user', subjectId: userId, affectedUserId: userId, reason, details: { content } },
      ]);
      const requested = await request(context, session, { user, content, known });
      if (user.isDeleted) return requested;
      await users.updateOne(
        { networkId, userId, isDeleted: false },
        { $set: { ...DELETED_ACCOUNT, ...recheckedLater(context), updatedAt: context.now() } },
        { session },
      );
      await endAccount(context, session, { ...user, ...DELETED_ACCOUNT });
      return requested;
    },
    lockFor(context, 'user', userId),
  );
  context.load.users.clear(userId);
  if (erasure.state === 'completed') return erasure;
  await context.afterCommit(() => continueAfterRequest(context, runErasure(context, erasure)));
  return erasure;
}

interface Requested {
  user: UserRecord;
  content: ErasedContent;
  /** An earlier erasure that kept the content. */
  known: UserErasureRecord | null;
}

/** Stores the erasure; one that kept the content starts again from its first step. */
async function request(
  context: Context,
  session: ClientSession,
  { user, content, known }: Requested,
): Promise<UserErasureRecord> {
  const now = context.now();
  const { networkId, userId } = user;
  const names = [user.displayName, user.profileHandle].filter((name) => name !== null && name !== DELETED_USER_NAME);
  const erasure: UserErasureRecord = {
    _id: known?._id ?? new ObjectId(),
    networkId,
    userId,
    content,
    state: 'running',
    requestedBy: viewerOf(context).userId,
    requestedAt: now,
    completedAt: null,
    completedSteps: [],
    names: [...new Set([...(known?.names ?? []), ...names])] as string[],
    lease: known?.lease ?? null,
    leaseEndsAt: known?.leaseEndsAt ?? now,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  };
  await context.store.collections.userErasures.replaceOne({ networkId, userId }, erasure, { session, upsert: true });
  return erasure;
}
