import { stopVideoStream } from '../../src/domain/video-stream/update-video-stream.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

mutationField(
  'stopVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Says that a live stream is over.',
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await stopVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
