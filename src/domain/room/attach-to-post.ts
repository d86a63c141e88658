import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/append-events.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { attachLiveChannel } from '../channel/live-channel.ts';
import { roomUpdatedEvents } from './room-events.ts';

/**
 * Links one of the viewer's rooms, and its chat channel, to the post that contains it, in the transaction that writes
 * the post.
 * @returns events to append in this transaction
 * @throws {OperationError} NOT_FOUND if the room does not exist, is deleted, belongs to another user or target, or is
 *   already in a post
 */
export async function attachRoom(
  context: Context,
  session: ClientSession,
  { roomId, postId, ...target }: { roomId: string; postId: string } & Pick<RoomRecord, 'targetType' | 'targetId'>,
): Promise<NewEvent[]> {
  const { networkId, userId } = viewerOf(context);
  const room = await context.store.collections.rooms.findOneAndUpdate(
    { networkId, roomId, createdBy: userId, isDeleted: false, referenceType: 'post', referenceId: '', ...target },
    { $set: { referenceId: postId, updatedAt: context.now() } },
    { session },
  );
  if (!room) throw notFound('Room');
  const chat = await attachLiveChannel(context, session, { channelId: room.liveChannelId, postId });
  context.load.rooms.clear(roomId);
  return [...roomUpdatedEvents(room), ...chat];
}
