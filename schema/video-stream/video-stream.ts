import { ownsVideoStream } from '../../src/access/video-stream.ts';
import { viewerOf } from '../../src/context.ts';
import { MAX_FILTER_VALUES } from '../../src/domain/unique-ids.ts';
import { childStreamsOf, getVideoStream } from '../../src/domain/video-stream/get-video-stream.ts';
import { listVideoStreams, type VideoStreamSort } from '../../src/domain/video-stream/list-video-streams.ts';
import type { VideoStreamRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { Platform, StreamRecording, StreamUrlType, WatcherUrls } from './stream-url.ts';

export const VideoStream = nodeType<VideoStreamRecord>('VideoStream', {
  description: 'A live video stream, or the recording of one.',
  id: 'streamId',
  load: (context, streamId) => getVideoStream(context, { streamId }),
});

const VideoStreamStatus = restEnum('VideoStreamStatus', 'Stage in the life cycle of a video stream.', {
  idle: 'Created, not started yet.',
  live: 'Started and streaming.',
  ended: 'Stopped or deleted; no recording has been reported.',
  recorded: 'Stopped, with recordings in `recordings`.',
});
const VideoStreamSortEnum = restEnum<VideoStreamSort>('VideoStreamSort', 'Sort order of video streams.', {
  lastCreated: 'Newest first. Default.',
  firstCreated: 'Oldest first.',
});
export const VideoResolution = restEnum('VideoResolution', 'Resolution of a video stream.', {
  SD: 'Standard definition.',
  HD: 'High definition. Default.',
  FHD: 'Full high definition.',
});

builder.objectFields(VideoStream, (t) => ({
  streamId: t.exposeString('streamId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (stream) => stream._id.toHexString(),
  }),
  userId: t.exposeString('userId', { description: 'Public id of the streamer.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the streamer.' }),
  thumbnailFileId: t.exposeString('thumbnailFileId', { nullable: true, description: 'File id of the thumbnail.' }),
  title: t.exposeString('title', { description: 'Title.' }),
  description: t.exposeString('description', { description: 'Description.' }),
  moderationId: t.exposeString('moderationId', { nullable: true, description: 'Id of the moderation record.' }),
  postId: t.exposeString('postId', { nullable: true, description: 'Public id of the post that shows it.' }),
  channelId: t.exposeString('channelId', { nullable: true, description: 'Public id of its chat channel.' }),
  parentStreamId: t.exposeString('parentStreamId', {
    nullable: true,
    description: 'Public id of the parent video stream.',
  }),
  childStreamIds: t.exposeStringList('childStreamIds', {
    description: 'Public ids of the child video streams.',
  }),
  isLive: t.exposeBoolean('isLive', { description: 'Whether it is currently live.' }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted. A deleted record is returned without its content.',
  }),
  channelEnabled: t.exposeBoolean('channelEnabled', { description: 'Whether it has a chat channel.' }),
  isParent: t.exposeBoolean('isParent', { description: 'Whether it has no parent video stream.' }),
  status: t.expose('status', { type: VideoStreamStatus, description: 'Stage in the life cycle.' }),
  platform: t.expose('platform', { type: Platform, description: 'Software that sends the stream.' }),
  resolution: t.expose('resolution', { type: VideoResolution, description: 'Resolution.' }),
  streamerUrl: t.expose('streamerUrl', {
    type: StreamUrlType,
    description:
      'URL to which the stream is sent. Empty strings except for the streamer and moderators, because anyone who knows it can broadcast.',
  }),
  watcherUrl: t.expose('watcherUrl', { type: WatcherUrls, description: 'URLs where the stream is watched.' }),
  recordings: t.expose('recordings', { type: [StreamRecording], description: 'Recordings.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'Time at which it went live.' }),
  endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'Time at which it ended.' }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update, start, stop and delete it.',
    resolve: (stream, _, context) => !stream.isDeleted && ownsVideoStream(viewerOf(context), stream),
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  streamer: t.field({
    type: User,
    nullable: true,
    description: 'The streamer.',
    resolve: (stream, _, context) => loadUser(context, stream.userId),
  }),
  thumbnail: t.field({
    type: File,
    nullable: true,
    description: 'The thumbnail.',
    resolve: (stream, _, { load }) => (stream.thumbnailFileId ? load.files.load(stream.thumbnailFileId) : null),
  }),
  childStreams: t.field({
    type: [VideoStream],
    description: 'Child video streams, without those in a post of their own that the viewer cannot see.',
    resolve: (stream, _, context) => childStreamsOf(context, stream),
  }),
}));

export const VideoStreamConnection = connectionType(VideoStream, 'video streams');

builder.queryFields((t) => ({
  videoStream: t.field({
    type: VideoStream,
    nullable: true,
    description: 'A video stream by its public id.',
    args: { streamId: t.arg.string({ required: true, description: 'Public id of the video stream.' }) },
    resolve: (_, args, context) => getVideoStream(context, args),
  }),
  videoStreams: t.connection(
    {
      type: VideoStream,
      description: 'Video streams that the viewer can see, newest first by default.',
      args: {
        isLive: t.arg.boolean({
          description: 'Whether to list live video streams (true) or others (false). Default: both.',
        }),
        statuses: t.arg({ type: [VideoStreamStatus], description: 'Only video streams in these stages.' }),
        userIds: t.arg.stringList({
          description: `Only video streams of these users, by public id, at most ${MAX_FILTER_VALUES}.`,
        }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted video streams (true), existing ones (false, default) or both (null). Deleted ones are visible to their streamers and to moderators.',
        }),
        sortBy: t.arg({ type: VideoStreamSortEnum, defaultValue: 'lastCreated', description: 'Sort order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { isLive, statuses, userIds, isDeleted, sortBy, ...args }, context) => {
        const query = { isLive, statuses, userIds, isDeleted, sort: sortBy, request: pageRequest(args) };
        return toConnection(await listVideoStreams(context, query));
      },
    },
    VideoStreamConnection,
  ),
}));
