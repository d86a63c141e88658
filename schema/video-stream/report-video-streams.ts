import { provideVideoStream, recordVideoStream } from '../../src/domain/video-stream/report-video-stream.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

const WatcherUrlInput = builder.inputType('WatcherUrlInput', {
  description: 'Where a stream is watched, by protocol; at most 2,000 characters each.',
  fields: (t) => ({
    flv: t.string({ required: true, description: 'HTTP-FLV.' }),
    hls: t.string({ required: true, description: 'HLS.' }),
    rtmp: t.string({ required: true, description: 'RTMP.' }),
  }),
});

mutationField(
  'provideVideoStream',
  {
    description: 'Which stream, and where it is.',
    inputFields: (t) => ({
      ...streamIdField(t),
      streamerUrl: t.string({ required: true, description: 'Where it is sent to; at most 2,000 characters.' }),
      watcherUrl: t.field({ type: WatcherUrlInput, required: true, description: 'Where it is watched.' }),
    }),
  },
  {
    description:
      'For a media service: where a stream is sent to and watched. Needs EDIT_USER_FEED_POST in the network, or the server key beside the token.',
    resolve: async (_, { input }, context) => ({ videoStream: await provideVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);

const RecordingFileInput = builder.inputType('RecordingFileInput', {
  description: 'A recording in one format.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'Where it is; at most 2,000 characters.' }),
    duration: t.int({ required: true, description: 'Seconds.' }),
    startTime: t.int({ required: true, description: 'When it begins, in Unix seconds.' }),
    stopTime: t.int({ required: true, description: 'When it ends, in Unix seconds.' }),
  }),
});

const RecordingInput = builder.inputType('StreamRecordingInput', {
  description: 'A recording, by format.',
  fields: (t) => ({
    flv: t.field({ type: RecordingFileInput, required: true, description: 'FLV.' }),
    mp4: t.field({ type: RecordingFileInput, required: true, description: 'MP4.' }),
    m3u8: t.field({ type: RecordingFileInput, required: true, description: 'HLS playlist.' }),
  }),
});

mutationField(
  'recordVideoStream',
  {
    description: 'Which stream, and what was recorded.',
    inputFields: (t) => ({
      ...streamIdField(t),
      recordings: t.field({ type: [RecordingInput], required: true, description: 'All of its recordings, 1 to 50.' }),
      moderationId: t.string({ description: 'Id of its moderation record.' }),
    }),
  },
  {
    description:
      'For a media service: what it recorded of a stream that is over. Needs EDIT_USER_FEED_POST in the network, or the server key beside the token.',
    resolve: async (_, { input }, context) => ({ videoStream: await recordVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
