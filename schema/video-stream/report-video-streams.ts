import { provideVideoStream, recordVideoStream } from '../../src/domain/video-stream/report-video-stream.ts';
import {
  provideVideoStreamInput,
  recordingFile,
  recordVideoStreamInput,
  streamRecording,
  watcherUrl,
} from '../../src/domain/video-stream/video-stream-input.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { MEDIA_SERVICE } from '../shared/media-service.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

const WatcherUrlInput = inputType('WatcherUrlInput', 'URLs where a video stream is watched, by protocol.', {
  schema: watcherUrl,
});

mutationField(
  'provideVideoStream',
  inputOf(provideVideoStreamInput, { watcherUrl: WatcherUrlInput }),
  {
    description: `Reports the URLs where a video stream is sent and watched. ${MEDIA_SERVICE}`,
    resolve: async (_, { input }, context) => ({ videoStream: await provideVideoStream(context, input) }),
    ...causes('video-streaming.updated'),
  },
  VIDEO_STREAM_PAYLOAD,
);

const RecordingFileInput = inputType('RecordingFileInput', 'A recording in one format.', { schema: recordingFile });

const StreamRecordingInput = inputType('StreamRecordingInput', 'A recording, by format.', {
  schema: streamRecording,
  types: { flv: RecordingFileInput, mp4: RecordingFileInput, m3u8: RecordingFileInput },
});

mutationField(
  'recordVideoStream',
  inputOf(recordVideoStreamInput, { recordings: StreamRecordingInput }),
  {
    description: `Reports the recordings of an ended video stream. ${MEDIA_SERVICE}`,
    resolve: async (_, { input }, context) => ({ videoStream: await recordVideoStream(context, input) }),
    ...causes('video-streaming.didRecord'),
  },
  VIDEO_STREAM_PAYLOAD,
);
