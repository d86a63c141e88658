import { startVideoStream } from '../../src/domain/video-stream/update-video-stream.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

mutationField(
  'startVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Says that an idle stream is live now.',
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await startVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
