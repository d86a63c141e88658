import { ObjectId } from 'mongodb';
import type { z } from 'zod';
import { canOpenRoomIn } from '../../access/media.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { insertLiveChannel, liveChannel } from '../channel/live-channel.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { usableFiles } from '../file/usable-files.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { roomEvent } from './room-events.ts';
import { createRoomInput } from './room-input.ts';

/**
 * Creates the record of a room in a community or on the viewer's own feed. A media service reports its playback URL
 * (`reportRoom`). Only participants see the room until a post contains it.
 *
 * @throws {OperationError} NOT_FOUND for a community that is not visible, another user's feed, or a file that the viewer
 *   did not upload; FORBIDDEN for users who cannot post there; INVALID_PARAMETERS
 */
export async function createRoom(context: Context, input: z.input<typeof createRoomInput>): Promise<RoomRecord> {
  const viewer = viewerOf(context);
  const given = validate(createRoomInput, input);
  const isPublic = await checkTarget(context, given);
  await usableFiles(context, [given.thumbnailFileId], { path: ['thumbnailFileId'] });
  const { networkId, userId, userInternalId } = viewer;
  const _id = new ObjectId();
  const roomId = _id.toHexString();
  const now = context.now();
  const channel = given.liveChatEnabled ? liveChannel(context, { title: given.title, attachedTo: { roomId } }) : null;
  const room: RoomRecord = {
    _id,
    networkId,
    roomId,
    path: `${networkId}/room/${roomId}`,
    type: given.type ?? 'directStreaming',
    status: 'idle',
    targetType: given.targetType,
    targetId: given.targetId,
    targetVisibility: isPublic ? 'public' : 'private',
    referenceType: 'post',
    referenceId: '',
    liveChannelId: channel?.channelId ?? null,
    title: given.title,
    description: given.description ?? '',
    thumbnailFileId: given.thumbnailFileId ?? null,
    livePlaybackUrl: null,
    liveThumbnailUrl: null,
    parentRoomId: null,
    childRoomIds: [],
    createdBy: userId,
    creatorInternalId: userInternalId,
    deletedBy: null,
    liveChatEnabled: channel !== null,
    isDeleted: false,
    participants: [{ userId, userInternalId, type: 'host', canManageProductTags: true }],
    recordedPlaybackInfos: [],
    durationSeconds: 0,
    moderation: null,
    metadata: given.metadata ?? {},
    liveAt: null,
    endedAt: null,
    recordedAt: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await context.transaction(
    async (session) => {
      await context.store.collections.rooms.insertOne(room, { session });
      const chat = channel ? await insertLiveChannel(context, session, channel) : [];
      await appendEvents(context, session, [roomEvent('room.created', room), ...chat]);
    },
    lockFor(context, 'record', roomId, { sharedUserIds: channel ? [userId] : [] }),
  );
  context.load.rooms.clear(roomId);
  return room;
}

/** @returns whether non-members can see the room */
async function checkTarget(
  context: Context,
  { targetType, targetId }: Pick<RoomRecord, 'targetType' | 'targetId'>,
): Promise<boolean> {
  const viewer = viewerOf(context);
  if (targetType === 'user') {
    if (targetId !== viewer.userId) throw notFound('User');
    return true;
  }
  const place = await findInsideCommunity(context, targetId);
  if (!place) throw notFound('Community');
  if (!canOpenRoomIn(viewer, place)) {
    throw new OperationError('FORBIDDEN', { message: 'You cannot post in this community.' });
  }
  return place.community.isPublic;
}
