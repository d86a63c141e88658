import { ownsRoom } from '../../src/access/room.ts';
import { viewerOf } from '../../src/context.ts';
import { getRoom } from '../../src/domain/room/get-room.ts';
import { listRooms } from '../../src/domain/room/list-rooms.ts';
import { presentRoom } from '../../src/domain/room/present-room.ts';
import { MAX_PARTICIPANTS } from '../../src/domain/room/update-room.ts';
import type { RoomRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { loadAll } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { RecordedPlayback, RoomModeration, RoomParticipant } from './room-parts.ts';

export const Room = nodeType<RoomRecord>('Room', {
  description: 'A live room in which one or more users stream, or its recording.',
  id: 'roomId',
  load: (context, roomId) => getRoom(context, { roomId }),
});

export const RoomType = restEnum('RoomType', 'Number of users who can stream in a room.', {
  directStreaming: 'The host streams alone; adding participants fails with `BAD_REQUEST`. Default.',
  coHosts: `The host and co-hosts stream together, ${MAX_PARTICIPANTS} participants at most.`,
});
const RoomStatus = restEnum('RoomStatus', 'Stage in the life cycle of a room.', {
  idle: 'Created, not started yet.',
  live: 'Started and streaming.',
  waitingReconnect: 'Started, but the connection was lost; `LIVE` again once a media service reports it.',
  ended: 'Stopped or deleted; no recording has been reported.',
  recorded: 'Stopped, with recordings in `recordedPlaybackInfos`.',
  terminated: 'Ended by automatic moderation. The status stays the same when recordings are added.',
  error: 'Ended because a media service reported a permanent failure.',
});
export const RoomTargetType = restEnum('RoomTargetType', 'Kind of place in which a room is opened.', {
  community: 'A community; its members can open rooms if they can post there.',
  user: 'The feed of the user who creates the room.',
});
const RoomVisibility = restEnum('RoomVisibility', 'Visibility of the place of a room at the time of its creation.', {
  public: 'A public community or the feed of a user.',
  private: 'A private community, which only members can see.',
});
const RoomReferenceType = restEnum('RoomReferenceType', 'Kind of record that a room is attached to.', {
  post: 'A post; users who can see the post can see the room. Every room created through the API refers to a post.',
  event: 'A scheduled event; users who can see the community or user can see the room.',
});

builder.objectFields(Room, (t) => ({
  roomId: t.exposeString('roomId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (room) => room._id.toHexString(),
  }),
  path: t.exposeString('path', { description: 'Path of the room, for subscriptions to its events.' }),
  type: t.expose('type', { type: RoomType, description: 'Number of users who can stream.' }),
  status: t.expose('status', { type: RoomStatus, description: 'Stage in the life cycle.' }),
  targetType: t.expose('targetType', { type: RoomTargetType, description: 'Kind of place of the record.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  targetVisibility: t.expose('targetVisibility', {
    type: RoomVisibility,
    description: 'Visibility of the place of the room.',
  }),
  referenceType: t.expose('referenceType', {
    type: RoomReferenceType,
    description: 'Kind of record to which the room is attached.',
  }),
  referenceId: t.exposeString('referenceId', {
    description: 'Public id of the post or event to which the room is attached; empty while there is none.',
  }),
  liveChannelId: t.exposeString('liveChannelId', { nullable: true, description: 'Public id of its chat channel.' }),
  title: t.exposeString('title', { description: 'Title.' }),
  description: t.exposeString('description', { description: 'Description.' }),
  thumbnailFileId: t.exposeString('thumbnailFileId', { nullable: true, description: 'File id of the thumbnail.' }),
  livePlaybackUrl: t.exposeString('livePlaybackUrl', {
    nullable: true,
    description: 'URL where the live room is watched.',
  }),
  liveThumbnailUrl: t.exposeString('liveThumbnailUrl', {
    nullable: true,
    description: 'URL of the thumbnail of the live room.',
  }),
  parentRoomId: t.exposeString('parentRoomId', { nullable: true, description: 'Public id of the parent room.' }),
  childRoomIds: t.exposeStringList('childRoomIds', { description: 'Public ids of the child rooms.' }),
  createdBy: t.exposeString('createdBy', { description: 'Public id of the creator.' }),
  creatorInternalId: t.exposeString('creatorInternalId', { description: 'Internal id of the creator.' }),
  deletedBy: t.exposeString('deletedBy', { nullable: true, description: 'Public id of the user who deleted it.' }),
  liveChatEnabled: t.exposeBoolean('liveChatEnabled', { description: 'Whether it has a chat channel.' }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted. A deleted record is returned without its content.',
  }),
  participants: t.expose('participants', { type: [RoomParticipant], description: 'Participants.' }),
  recordedPlaybackInfos: t.expose('recordedPlaybackInfos', {
    type: [RecordedPlayback],
    description: 'Recordings.',
  }),
  durationSeconds: t.exposeInt('durationSeconds', { description: 'Duration of the live phase in seconds.' }),
  moderation: t.expose('moderation', {
    type: RoomModeration,
    nullable: true,
    description: 'Results of automatic moderation.',
  }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  liveAt: t.expose('liveAt', { type: 'DateTime', nullable: true, description: 'Time at which it went live.' }),
  endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'Time at which it ended.' }),
  recordedAt: t.expose('recordedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time at which its recordings were reported.',
  }),
  deletedAt: t.expose('deletedAt', { type: 'DateTime', nullable: true, description: 'Time of deletion.' }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update, start, stop and delete it.',
    resolve: (room, _, context) => !room.isDeleted && ownsRoom(viewerOf(context), room),
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Creator.',
    resolve: (room, _, context) => loadUser(context, room.createdBy),
  }),
  deleter: t.field({
    type: User,
    nullable: true,
    description: 'The user who deleted it.',
    resolve: (room, _, context) => loadUser(context, room.deletedBy),
  }),
  participantUsers: t.field({
    type: [User],
    description: 'Users who participate.',
    resolve: (room, _, { load }) =>
      loadAll(
        load.users,
        room.participants.map((participant) => participant.userId),
      ),
  }),
  thumbnail: t.field({
    type: File,
    nullable: true,
    description: 'The thumbnail.',
    resolve: (room, _, { load }) => (room.thumbnailFileId ? load.files.load(room.thumbnailFileId) : null),
  }),
  childRooms: t.field({
    type: [Room],
    description: 'Child rooms.',
    resolve: async (room, _, context) =>
      (await loadAll(context.load.rooms, room.childRoomIds)).map((child) => presentRoom(context, child)),
  }),
}));

export const RoomConnection = connectionType(Room, 'rooms');

builder.queryFields((t) => ({
  room: t.field({
    type: Room,
    nullable: true,
    description: 'A room by its public id.',
    args: { roomId: t.arg.string({ required: true, description: 'Public id of the room.' }) },
    resolve: (_, args, context) => getRoom(context, args),
  }),
  rooms: t.connection(
    {
      type: Room,
      description: 'Rooms that the viewer can see, newest first.',
      args: { status: t.arg({ type: RoomStatus, description: 'Only rooms with this status.' }) },
      resolve: async (_, args, context) =>
        toConnection(await listRooms(context, { status: args.status, request: pageRequest(args) })),
    },
    RoomConnection,
  ),
}));
