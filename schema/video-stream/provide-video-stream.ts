import { provideVideoStream } from '../../src/domain/video-stream/report-video-stream.ts';
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
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await provideVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
