import { z } from 'zod';
import { canEraseUser } from '../access/user.ts';
import { type Context, viewerOf } from '../context.ts';
import { id, validate } from '../domain/input.ts';
import { OperationError } from '../errors.ts';
import type { UserErasureRecord } from '../store/records/erasure.ts';

const input = z.object({ userId: id(50) });

/**
 * The erasure of a user; null if none was requested.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function getUserErasure(
  context: Context,
  given: z.input<typeof input>,
): Promise<UserErasureRecord | null> {
  const { userId } = validate(input, given);
  const viewer = viewerOf(context);
  if (!canEraseUser(viewer)) throw new OperationError('PERMISSION_DENIED');
  return context.store.collections.userErasures.findOne({ networkId: viewer.networkId, userId });
}
