import { type ClientSession, ObjectId } from 'mongodb';
import type { z } from 'zod';
import { canBlockUser } from '../../../access/block.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents, type NewEvent } from '../../../events/append-events.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { updateBlocksOfSessions } from '../../session/end-sessions.ts';
import { endFollows } from '../follows/end-follow.ts';
import { requireUser } from '../require-user.ts';
import { userIdInput } from '../user-id-input.ts';

/** Maximum users that one user can block. */
export const MAX_BLOCKED = 1_000;

/**
 * Blocks a user, with the effects listed in `src/access/block.ts`; neither follows the other any more. Blocking again
 * changes nothing.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for oneself, BLOCK_LIMIT
 */
export async function blockUser(context: Context, input: z.input<typeof userIdInput>): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const { userId: blockedUserId } = validate(userIdInput, input);
  const user = await requireUser(context, blockedUserId, canBlockUser);
  // With the counts after the end of the follows.
  let blocked = user;
  const follows = [
    { userId: viewer.userId, followedUserId: blockedUserId },
    { userId: blockedUserId, followedUserId: viewer.userId },
  ];
  await change(context, blockedUserId, async (session) => {
    const now = context.now();
    const { upsertedCount } = await context.store.collections.userBlocks.updateOne(
      { networkId: viewer.networkId, userId: viewer.userId, blockedUserId },
      { $setOnInsert: { _id: new ObjectId(), createdAt: now, updatedAt: now } },
      { session, upsert: true },
    );
    if (upsertedCount === 0) return { by: 0, events: [] };
    const { users, events } = await endFollows(context, session, { pairs: follows, by: viewer.userId });
    blocked = users.get(blockedUserId) ?? user;
    return { by: 1, events };
  });
  for (const pair of follows) context.load.follows.clear([pair.userId, pair.followedUserId]);
  return blocked;
}

/** Unblocks a user; does nothing without a block. @throws {OperationError} NOT_FOUND */
export async function unblockUser(context: Context, input: z.input<typeof userIdInput>): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const { userId: blockedUserId } = validate(userIdInput, input);
  const user = await requireUser(context, blockedUserId, () => true);
  await change(context, blockedUserId, async (session) => {
    const block = { networkId: viewer.networkId, userId: viewer.userId, blockedUserId };
    const { deletedCount } = await context.store.collections.userBlocks.deleteOne(block, { session });
    return { by: -deletedCount, events: [] };
  });
  return user;
}

/** @param write creates or removes the block; returns the change of the viewer's block count, and events to append */
async function change(
  context: Context,
  blockedUserId: string,
  write: (session: ClientSession) => Promise<{ by: number; events: NewEvent[] }>,
): Promise<void> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const hasBlocks = await context.transaction(
    async (session) => {
      const { by, events } = await write(session);
      if (by === 0) return null;
      const room = by > 0 ? { blockCount: { $not: { $gte: MAX_BLOCKED } } } : {};
      const own = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId, isDeleted: false, ...room },
        { $inc: { blockCount: by } },
        { session, returnDocument: 'after' },
      );
      if (!own) throw by > 0 ? new OperationError('BLOCK_LIMIT') : notFound('User');
      const isFirstOrLast = own.blockCount === Math.max(by, 0);
      if (isFirstOrLast) await updateBlocksOfSessions(context, session, own, by > 0);
      await appendEvents(context, session, events);
      return own.blockCount! > 0;
    },
    lockFor(context, 'user', userId),
  );
  if (hasBlocks !== null) viewer.hasBlocks = hasBlocks;
  context.load.userBlocks.clear([userId, blockedUserId]);
  context.load.users.clear(userId).clear(blockedUserId);
}
