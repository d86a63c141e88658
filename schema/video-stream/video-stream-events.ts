import type { VideoStreamRecord } from '../../src/store/records/media.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { VideoStream } from './video-stream.ts';

eventType('videoStream', {
  about: 'a video stream',
  fields: (t) => ({
    videoStream: t.field({
      type: VideoStream,
      description: 'The video stream.',
      resolve: fromPayload<VideoStreamRecord>('videoStream'),
    }),
  }),
});
