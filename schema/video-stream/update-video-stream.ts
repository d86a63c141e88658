import { updateVideoStream } from '../../src/domain/video-stream/update-video-stream.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { shownFields, streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

mutationField(
  'updateVideoStream',
  {
    description: 'Which stream, and how it is to be.',
    inputFields: (t) => ({
      ...streamIdField(t),
      title: t.string({ description: 'Headline, 1 to 150 characters.' }),
      ...shownFields(t),
    }),
  },
  {
    description: 'Changes what a stream shows of itself. What is left out stays as it is.',
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await updateVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
