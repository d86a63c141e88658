import { ownsRoom } from '../../access/room.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { RoomRecord } from '../../store/records/media.ts';

/** Hides the content of a deleted room, which stays in its post, from all but its creator and moderators. */
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
