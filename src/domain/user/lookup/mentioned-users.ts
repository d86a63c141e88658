import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { Mentionee } from '../../../store/records/base.ts';
import { userIds } from '../../input.ts';
import { blockedAmong } from '../blocks/blocks.ts';

/** Maximum users that one record can mention. */
export const MAX_MENTIONS = 30;

/** A group of mentioned users, as published clients send them. */
export const mention = z.object({
  type: z.literal('user').nullish().default('user').describe('Kind of mention; `USER` is the only one.'),
  userIds: userIds({ min: 0, max: MAX_MENTIONS }).describe(
    'Public ids of the users; the bound covers all groups of a record together.',
  ),
});

export const mentionees = () =>
  z
    .array(mention)
    .max(MAX_MENTIONS, `at most ${MAX_MENTIONS}`)
    .transform((groups) => [...new Set(groups.flatMap((group) => group.userIds))])
    .refine((ids) => ids.length <= MAX_MENTIONS, `at most ${MAX_MENTIONS} users`);

/**
 * The stored form of mentioned users.
 * @throws {OperationError} INVALID_PARAMETERS when one does not exist, or one of them and the viewer blocks the other
 */
export async function mentionedUsers(context: Context, userIds: readonly string[]): Promise<Mentionee[]> {
  if (userIds.length === 0) return [];
  const [users, blocked] = await Promise.all([
    Promise.all(userIds.map((userId) => context.load.users.load(userId))),
    blockedAmong(context, userIds),
  ]);
  const known = users.filter((user) => user !== null).filter((user) => !user.isDeleted);
  if (known.length < userIds.length || blocked.length > 0) throw unknownUser();
  return [{ type: 'user', userIds: [...userIds], userInternalIds: known.map((user) => user._id.toHexString()) }];
}

/**
 * Checks in a transaction that no block prevents the mentions, because it may have waited for a lock.
 * @throws {OperationError} INVALID_PARAMETERS, as {@link mentionedUsers}
 */
export async function requireStillMentionable(
  context: Context,
  session: ClientSession,
  mentionees: readonly Mentionee[],
): Promise<void> {
  const userIds = mentionees.flatMap((mentionee) => mentionee.userIds);
  if ((await blockedAmong(context, userIds, session)).length > 0) throw unknownUser();
}

function unknownUser(): OperationError {
  const detail = ['mentionees: a mentioned user does not exist'];
  return new OperationError('INVALID_PARAMETERS', { detail, path: ['mentionees'] });
}
