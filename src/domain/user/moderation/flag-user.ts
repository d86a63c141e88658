import type { z } from 'zod';
import { canClearUserFlags, canFlagUser } from '../../../access/user.ts';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { clearFlags } from '../../flag/clear-flags.ts';
import { type FlagReasonInput, flagFields } from '../../flag/flag-reason.ts';
import { flagRecord, isFlaggedByViewer, unflagRecord } from '../../flag/flag-record.ts';
import type { FlagTarget } from '../../flag/flag-target.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { getUser } from '../get-user.ts';
import { requireUser } from '../require-user.ts';
import { requireRightInNetwork } from '../roles/require-right.ts';
import { userEvent } from '../user-events.ts';
import { userIdInput } from '../user-id-input.ts';

export const flagUserInput = userIdInput.extend(flagFields);
type UserId = z.input<typeof userIdInput>;

/**
 * Flags a user for the moderators of the network, as {@link flagRecord}.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for oneself, INVALID_PARAMETERS
 */
export async function flagUser(
  context: Context,
  { userId: named, ...reason }: UserId & FlagReasonInput,
): Promise<UserRecord> {
  const { userId } = validate(userIdInput, { userId: named });
  return flagRecord(context, flagTarget(context, await requireUser(context, userId, canFlagUser)), reason);
}

/** Withdraws the viewer's flag. @throws {OperationError} NOT_FOUND */
export async function unflagUser(context: Context, named: UserId): Promise<UserRecord> {
  const { userId } = validate(userIdInput, named);
  return unflagRecord(context, flagTarget(context, await requireUser(context, userId, () => true)));
}

/** Removes all flags of a user. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED */
export async function clearUserFlags(context: Context, named: UserId): Promise<UserRecord> {
  const { userId } = validate(userIdInput, named);
  const target = flagTarget(context, await requireUser(context, userId, canClearUserFlags));
  return clearFlags(context, target, (session) => requireRightInNetwork(context, session, canClearUserFlags));
}

/** Whether the viewer flagged a user. @throws {OperationError} NOT_FOUND */
export async function isUserFlagged(context: Context, named: UserId): Promise<boolean> {
  const user = await getUser(context, validate(userIdInput, named));
  if (!user) throw notFound('User');
  return isUserFlaggedByViewer(context, user);
}

export function isUserFlaggedByViewer(context: Context, { userId, flagCount }: UserRecord): Promise<boolean> {
  return isFlaggedByViewer(context, { referenceType: 'user', referenceId: userId, flagCount });
}

const EVENTS = { flagged: 'user.flagged', unflagged: 'user.unflagged', cleared: 'user.flagCleared' } as const;

function flagTarget(context: Context, user: UserRecord): FlagTarget<UserRecord> {
  const { networkId, userId } = user;
  return {
    referenceType: 'user',
    referenceId: userId,
    record: user,
    collection: context.store.collections.users,
    filter: { networkId, userId },
    authorId: userId,
    communityId: null,
    channelId: null,
    label: 'User',
    lock: lockFor(context, 'user', userId),
    isUpdatedByClearing: true,
    event: (change, record) => userEvent(EVENTS[change], record),
    invalidate: () => void context.load.users.clear(userId),
  };
}
