import { createVideoStream } from '../../src/domain/video-stream/create-video-stream.ts';
import {
  deleteVideoStream,
  startVideoStream,
  stopVideoStream,
  updateVideoStream,
} from '../../src/domain/video-stream/update-video-stream.ts';
import {
  createVideoStreamInput,
  streamIdInput,
  streamPlatform,
  updateVideoStreamInput,
} from '../../src/domain/video-stream/video-stream-input.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { VideoResolution } from './video-stream.ts';
import { VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

const StreamPlatformInput = inputType('StreamPlatformInput', 'Software that sends a video stream.', {
  schema: streamPlatform,
});

mutationField(
  'createVideoStream',
  inputOf(createVideoStreamInput, { resolution: VideoResolution, platform: StreamPlatformInput }),
  {
    description:
      'Creates a video stream, to be shown in a post. A media service reports the URLs to which it is sent and where it is watched.',
    resolve: async (_, { input }, context) => ({ videoStream: await createVideoStream(context, input) }),
    ...causes('channel.created', 'video-streaming.created', 'video-streaming.updated'),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'updateVideoStream',
  inputOf(updateVideoStreamInput),
  {
    description:
      'Changes title, description, thumbnail or metadata of a video stream. Omitted fields stay unchanged; null clears an optional field.',
    resolve: async (_, { input }, context) => ({ videoStream: await updateVideoStream(context, input) }),
    ...causes('video-streaming.updated'),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'startVideoStream',
  inputOf(streamIdInput),
  {
    description: 'Marks an idle video stream as live. `CONFLICT` for a video stream with another status.',
    resolve: async (_, { input }, context) => ({ videoStream: await startVideoStream(context, input) }),
    ...causes('video-streaming.didStart'),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'stopVideoStream',
  inputOf(streamIdInput),
  {
    description: 'Ends a video stream that is live or has not started. `CONFLICT` for one that has ended.',
    resolve: async (_, { input }, context) => ({ videoStream: await stopVideoStream(context, input) }),
    ...causes('video-streaming.didStop'),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'deleteVideoStream',
  inputOf(streamIdInput),
  {
    description: 'Deletes a video stream and its chat channel. A live video stream ends.',
    resolve: async (_, { input }, context) => ({ videoStream: await deleteVideoStream(context, input) }),
    ...causes('channel.deleted', 'video-streaming.didStop', 'video-streaming.deleted'),
  },
  VIDEO_STREAM_PAYLOAD,
);
