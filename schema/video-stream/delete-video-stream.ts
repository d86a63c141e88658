import { deleteVideoStream } from '../../src/domain/video-stream/update-video-stream.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

mutationField(
  'deleteVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Deletes a stream with its chat; one that is live ends.',
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await deleteVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
