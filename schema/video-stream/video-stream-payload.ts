import type { VideoStreamRecord } from '../../src/store/records/media.ts';
import type { SchemaTypes } from '../builder.ts';
import { VideoStream } from './video-stream.ts';

type Fields = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { videoStream: VideoStreamRecord }
>;

/** Result of every mutation of a video stream. */
export const VIDEO_STREAM_PAYLOAD = {
  outputFields: (t: Fields) => ({
    videoStream: t.expose('videoStream', { type: VideoStream, description: 'The video stream after the change.' }),
  }),
};
