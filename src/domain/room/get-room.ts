import { takesPartInRoom } from '../../access/media.ts';
import { ownsRoom } from '../../access/room.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { getPost } from '../post/get-post.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';
import { presentRoom } from './present-room.ts';

/**
 * A room, or null unless the viewer takes part, moderates, or sees the post that contains it. A room without a post
 * belongs to an event and is visible where its community or profile is.
 */
export async function getRoom(context: Context, { roomId }: { roomId: string }): Promise<RoomRecord | null> {
  viewerOf(context);
  const room = await context.load.rooms.load(roomId);
  return room && (await canSeeRoom(context, room)) ? presentRoom(context, room) : null;
}

export async function canSeeRoom(context: Context, room: RoomRecord): Promise<boolean> {
  const viewer = viewerOf(context);
  if (ownsRoom(viewer, room) || takesPartInRoom(viewer, room)) return true;
  if (room.referenceType === 'post')
    return room.referenceId !== '' && (await getPost(context, { postId: room.referenceId })) !== null;
  return room.targetType === 'user'
    ? seesFeedOfUser(context, room.targetId)
    : (await findInsideCommunity(context, room.targetId)) !== null;
}

/** The room of a post, visible to everybody who sees the post; null if the post has none. */
export function roomOfPost(context: Context, { data }: PostRecord): MaybePromise<RoomRecord | null> {
  if (!data.roomId) return null;
  return whenLoaded(context.load.rooms.load(data.roomId), (room) => room && presentRoom(context, room));
}
