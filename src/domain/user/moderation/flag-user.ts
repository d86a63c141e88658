import type { z } from 'zod';
import { canClearUserFlags, canFlagUser } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { countFlag, uncountFlag } from '../../flag/count-flag.ts';
import { type FlagReasonInput, flagFields, flagReason } from '../../flag/flag-reason.ts';
import { flaggersOf, recordFlag, removeFlag } from '../../flag/record-flag.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { getUser } from '../get-user.ts';
import { requireUser } from '../require-user.ts';
import { userEvent } from '../user-events.ts';
import { userIdInput } from '../user-id-input.ts';

export const flagUserInput = userIdInput.extend(flagFields);

/**
 * Flags a user for those who moderate the network. One flag a user: a repeat changes the reason and counts once.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for oneself, INVALID_PARAMETERS
 */
export async function flagUser(
  context: Context,
  { userId: named, ...said }: { userId: string } & FlagReasonInput,
): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const { userId } = validate(userIdInput, { userId: named });
  const reason = flagReason(said);
  const user = await requireUser(context, userId, canFlagUser);
  const reference = { referenceType: 'user', referenceId: userId, userId: viewer.userId } as const;
  const filter = { networkId: viewer.networkId, userId, isDeleted: false };
  const flagged = await context.transaction(
    async (session) => {
      if ((await recordFlag(context, session, { ...reference, ...reason })) === 'changed') return user;
      const { users } = context.store.collections;
      const counted = await countFlag({ session, collection: users, filter, userId: viewer.userId });
      if (counted) await append(context, session, [userEvent('user.flagged', counted)]);
      return counted;
    },
    lockFor(context, 'user', userId),
  );
  if (!flagged) throw notFound('User');
  forget(context, userId);
  return flagged;
}

/** Takes the viewer's flag on a user back; without one nothing happens. @throws {OperationError} NOT_FOUND */
export async function unflagUser(context: Context, asked: z.input<typeof userIdInput>): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const { userId } = validate(userIdInput, asked);
  const user = await requireUser(context, userId, () => true);
  const reference = { referenceType: 'user', referenceId: userId } as const;
  const unflagged = await context.transaction(
    async (session) => {
      if (!(await removeFlag(context, session, { ...reference, userId: viewer.userId }))) return null;
      const flaggers = await flaggersOf(context, session, reference);
      const { users } = context.store.collections;
      const filter = { networkId: viewer.networkId, userId };
      const uncounted = await uncountFlag({ session, collection: users, filter, flaggers });
      await append(context, session, [userEvent('user.unflagged', user)]);
      return uncounted;
    },
    lockFor(context, 'user', userId),
  );
  forget(context, userId);
  return unflagged ?? user;
}

/** Takes all flags from a user. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED */
export async function clearUserFlags(context: Context, asked: z.input<typeof userIdInput>): Promise<UserRecord> {
  const { networkId } = viewerOf(context);
  const { userId } = validate(userIdInput, asked);
  await requireUser(context, userId, canClearUserFlags);
  const cleared = await context.transaction(
    async (session) => {
      const { flags, users } = context.store.collections;
      const set = { flagCount: 0, hashFlag: null, updatedAt: context.now() };
      const before = await users.findOneAndUpdate(
        { networkId, userId },
        { $set: set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('User');
      await flags.deleteMany({ networkId, referenceType: 'user', referenceId: userId }, { session });
      if (before.flagCount > 0) await append(context, session, [userEvent('user.flagCleared', before)]);
      return { ...before, ...set };
    },
    lockFor(context, 'user', userId),
  );
  forget(context, userId);
  return cleared;
}

/** Whether the viewer flagged a user. @throws {OperationError} NOT_FOUND */
export async function isUserFlagged(context: Context, asked: z.input<typeof userIdInput>): Promise<boolean> {
  const user = await getUser(context, validate(userIdInput, asked));
  if (!user) throw notFound('User');
  return isFlaggedByViewer(context, user);
}

/** As {@link isUserFlagged}, of a user that is at hand; one whom nobody flagged needs no look-up. */
export async function isFlaggedByViewer(context: Context, { userId, flagCount }: UserRecord): Promise<boolean> {
  if (flagCount === 0) return false;
  const flags = await context.load.myFlags.load([userId, viewerOf(context).userId]);
  return (flags ?? []).some((flag) => flag.referenceType === 'user');
}

function forget(context: Context, userId: string): void {
  context.load.users.clear(userId);
  context.load.myFlags.clear([userId, viewerOf(context).userId]);
}
