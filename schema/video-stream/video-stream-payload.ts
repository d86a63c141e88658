import type { VideoStreamRecord } from '../../src/store/records/media.ts';
import type { builder, SchemaTypes } from '../builder.ts';
import { VideoStream } from './video-stream.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** What a mutation of a stream answers. */
export const VIDEO_STREAM_PAYLOAD = {
  description: 'The stream as it is now.',
  outputFields: (
    t: PothosSchemaTypes.ObjectFieldBuilder<
      PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
      { videoStream: VideoStreamRecord }
    >,
  ) => ({
    videoStream: t.expose('videoStream', { type: VideoStream, description: 'The stream.' }),
  }),
};

export const streamIdField = (t: InputFields) => ({
  streamId: t.string({ required: true, description: 'Public id of the stream.' }),
});

/** What a stream or a room shows of itself. */
export const shownFields = (t: InputFields) => ({
  description: t.string({ description: 'What it is about, at most 1,000 characters.' }),
  thumbnailFileId: t.string({ description: "File id of the still, one of the viewer's own." }),
  metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
});
