import { ownsRoom } from '../../access/room.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { RoomRecord } from '../../store/records/media.ts';

/** A deleted room keeps its place, but only its creator and moderators read and watch what it held. */
export function presentRoom(context: Context, room: RoomRecord): RoomRecord {
  if (!room.isDeleted || ownsRoom(viewerOf(context), room)) return room;
  const nothingToWatch = {
    livePlaybackUrl: null,
    liveThumbnailUrl: null,
    thumbnailFileId: null,
    recordedPlaybackInfos: [],
  };
  return { ...room, ...nothingToWatch, title: '', description: '', moderation: null, metadata: {} };
}
