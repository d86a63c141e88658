import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';

/** Notes which post shows a room, in the transaction that publishes the post. */
export async function linkRoom(
  context: Context,
  session: ClientSession,
  { roomId, postId }: { roomId: string; postId: string },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { matchedCount } = await context.store.collections.rooms.updateOne(
    { networkId, roomId, isDeleted: false },
    { $set: { referenceType: 'post', referenceId: postId, updatedAt: context.now() } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Room');
  context.load.rooms.clear(roomId);
}
