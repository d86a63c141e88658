import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { closeLiveChannel } from '../channel/live-channel.ts';
import { usableFiles } from '../file/usable-files.ts';
import { omitUndefined, validate } from '../input.ts';
import { requireNotBlocked } from '../user/blocks/blocks.ts';
import { requireUnbannedUsers } from '../user/lookup/require-unbanned-users.ts';
import { changeRoom, ended, requireOwnRoom } from './change-room.ts';
import { roomIdInput, roomParticipantsInput, updateRoomInput } from './room-input.ts';

type RoomIdInput = z.input<typeof roomIdInput>;

/** Maximum participants of a room, with the host. */
export const MAX_PARTICIPANTS = 20;

const ACTIVE_STATUSES = ['live', 'waitingReconnect'] as const;

/**
 * Changes a room's title, description, thumbnail or metadata. Absent fields stay; null clears.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, INVALID_PARAMETERS
 */
export async function updateRoom(context: Context, input: z.input<typeof updateRoomInput>): Promise<RoomRecord> {
  const { roomId, ...update } = validate(updateRoomInput, input);
  const room = await requireOwnRoom(context, roomId);
  const held = room.thumbnailFileId ? [room.thumbnailFileId] : [];
  await usableFiles(context, [update.thumbnailFileId], { held, path: ['thumbnailFileId'] });
  const set = omitUndefined({
    title: update.title,
    description: update.description === null ? '' : update.description,
    thumbnailFileId: update.thumbnailFileId,
    metadata: update.metadata === null ? {} : update.metadata,
  });
  return Object.keys(set).length === 0 ? room : changeRoom(context, room, { set: () => set });
}

/** Starts a room. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT unless it is idle */
export async function startRoom(context: Context, input: RoomIdInput): Promise<RoomRecord> {
  const room = await requireOwnRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, { from: ['idle'], set: (_, liveAt) => ({ status: 'live', liveAt }) });
}

/** Ends a room. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT unless it is live or reconnecting */
export async function stopRoom(context: Context, input: RoomIdInput): Promise<RoomRecord> {
  const room = await requireOwnRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, { from: [...ACTIVE_STATUSES], set: (before, now) => ended(before, 'ended', now) });
}

/**
 * Deletes a room with its chat channel. A live room ends first.
 * @throws {OperationError} NOT_FOUND, also for a deleted room; PERMISSION_DENIED
 */
export async function deleteRoom(context: Context, input: RoomIdInput): Promise<RoomRecord> {
  const { userId } = viewerOf(context);
  const room = await requireOwnRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, {
    set: (before, now) => ({
      ...(ACTIVE_STATUSES.some((status) => status === before.status) && ended(before, 'ended', now)),
      isDeleted: true,
      deletedBy: userId,
      deletedAt: now,
    }),
    also: (session) => closeLiveChannel(context, session, room.liveChannelId),
  });
}

/**
 * Adds co-hosts to a room, except users who take part already.
 * @throws {OperationError} NOT_FOUND, also for an unknown user; PERMISSION_DENIED; BAD_REQUEST for a room without
 *   co-hosts or with more than {@link MAX_PARTICIPANTS} participants; FORBIDDEN if a block exists between the viewer
 *   and one of the users
 */
export async function addRoomParticipants(
  context: Context,
  input: z.input<typeof roomParticipantsInput>,
): Promise<RoomRecord> {
  const { roomId, userIds } = validate(roomParticipantsInput, input);
  const room = await requireOwnRoom(context, roomId);
  if (room.type !== 'coHosts') throw new OperationError('BAD_REQUEST', { message: 'This room has no co-hosts.' });
  const users = await requireUnbannedUsers(context, userIds);
  return changeRoom(context, room, {
    require: (session) => requireNotBlocked(context, userIds, { path: ['userIds'], session }),
    set({ participants }) {
      const known = new Set(participants.map(({ userId }) => userId));
      const joining = users.filter(({ userId }) => !known.has(userId));
      if (participants.length + joining.length > MAX_PARTICIPANTS) {
        throw new OperationError('BAD_REQUEST', { message: `A room has at most ${MAX_PARTICIPANTS} participants.` });
      }
      if (joining.length === 0) return null;
      const coHosts = joining.map(({ userId, _id }) => ({
        userId,
        userInternalId: _id.toHexString(),
        type: 'coHost' as const,
        canManageProductTags: false,
      }));
      return { participants: [...participants, ...coHosts] };
    },
  });
}

/**
 * Removes co-hosts from a room. Users who do not take part are ignored.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, BAD_REQUEST for the host
 */
export async function removeRoomParticipants(
  context: Context,
  input: z.input<typeof roomParticipantsInput>,
): Promise<RoomRecord> {
  const { roomId, userIds } = validate(roomParticipantsInput, input);
  const room = await requireOwnRoom(context, roomId);
  return changeRoom(context, room, {
    set({ participants }) {
      const leaving = participants.filter(({ userId }) => userIds.includes(userId));
      if (leaving.some(({ type }) => type === 'host')) {
        throw new OperationError('BAD_REQUEST', {
          message: 'The host of a room cannot be removed.',
          path: ['userIds'],
        });
      }
      if (leaving.length === 0) return null;
      return { participants: participants.filter((one) => !leaving.includes(one)) };
    },
  });
}
