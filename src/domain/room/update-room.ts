import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { closeLiveChannel } from '../channel/live-channel.ts';
import { usableFiles } from '../file/usable-files.ts';
import { omitUndefined, validate } from '../input.ts';
import { requireUnbannedUsers } from '../user/lookup/require-unbanned-users.ts';
import { changeRoom, ended, ownRoom } from './change-room.ts';
import { roomIdInput, roomParticipantsInput, updateRoomInput } from './room-input.ts';

type Named = z.input<typeof roomIdInput>;

/** The most people who stream together in one room. */
export const MAX_PARTICIPANTS = 20;

const IS_ON = ['live', 'waitingReconnect'] as const;

/**
 * Changes what a room is called and shows; what is left out stays, null clears.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, INVALID_PARAMETERS
 */
export async function updateRoom(context: Context, input: z.input<typeof updateRoomInput>): Promise<RoomRecord> {
  const { roomId, ...update } = validate(updateRoomInput, input);
  const room = await ownRoom(context, roomId);
  const held = room.thumbnailFileId ? [room.thumbnailFileId] : [];
  await usableFiles(context, [update.thumbnailFileId], { held, path: ['thumbnailFileId'] });
  const set = omitUndefined({
    title: update.title ?? undefined,
    description: update.description === null ? '' : update.description,
    thumbnailFileId: update.thumbnailFileId,
    metadata: update.metadata === null ? {} : update.metadata,
  });
  return Object.keys(set).length === 0 ? room : changeRoom(context, room, { set: () => set });
}

/** Says that a room is on. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT unless it is idle */
export async function startRoom(context: Context, input: Named): Promise<RoomRecord> {
  const room = await ownRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, { from: ['idle'], set: (_, liveAt) => ({ status: 'live', liveAt }) });
}

/** Says that a room is over. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT unless it is on */
export async function stopRoom(context: Context, input: Named): Promise<RoomRecord> {
  const room = await ownRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, { from: [...IS_ON], set: (before, now) => ended(before, 'ended', now) });
}

/**
 * Deletes a room with its chat; one that is on ends.
 * @throws {OperationError} NOT_FOUND, also when it is deleted already; PERMISSION_DENIED
 */
export async function deleteRoom(context: Context, input: Named): Promise<RoomRecord> {
  const { userId } = viewerOf(context);
  const room = await ownRoom(context, validate(roomIdInput, input).roomId);
  return changeRoom(context, room, {
    set: (before, now) => ({
      ...(IS_ON.some((status) => status === before.status) && ended(before, 'ended', now)),
      isDeleted: true,
      deletedBy: userId,
      deletedAt: now,
    }),
    also: (session) => closeLiveChannel(context, session, room.liveChannelId),
  });
}

/**
 * Lets users stream together with the host; who does already stays.
 * @throws {OperationError} NOT_FOUND also for an unknown user, PERMISSION_DENIED, BAD_REQUEST for a room without
 *   co-hosts or more than {@link MAX_PARTICIPANTS} people
 */
export async function addRoomParticipants(
  context: Context,
  input: z.input<typeof roomParticipantsInput>,
): Promise<RoomRecord> {
  const { roomId, userIds } = validate(roomParticipantsInput, input);
  const room = await ownRoom(context, roomId);
  if (room.type !== 'coHosts') throw new OperationError('BAD_REQUEST', { message: 'This room has no co-hosts.' });
  const users = await requireUnbannedUsers(context, userIds);
  return changeRoom(context, room, {
    set({ participants }) {
      const known = new Set(participants.map(({ userId }) => userId));
      const joining = users.filter(({ userId }) => !known.has(userId));
      if (participants.length + joining.length > MAX_PARTICIPANTS) {
        throw new OperationError('BAD_REQUEST', { message: `At most ${MAX_PARTICIPANTS} people take part.` });
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
 * Ends that users take part; who does not stays so.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, BAD_REQUEST for the host
 */
export async function removeRoomParticipants(
  context: Context,
  input: z.input<typeof roomParticipantsInput>,
): Promise<RoomRecord> {
  const { roomId, userIds } = validate(roomParticipantsInput, input);
  const room = await ownRoom(context, roomId);
  return changeRoom(context, room, {
    set({ participants }) {
      const leaving = participants.filter(({ userId }) => userIds.includes(userId));
      if (leaving.some(({ type }) => type === 'host')) {
        throw new OperationError('BAD_REQUEST', { message: 'The host of a room stays.', path: ['userIds'] });
      }
      if (leaving.length === 0) return null;
      return { participants: participants.filter((one) => !leaving.includes(one)) };
    },
  });
}
