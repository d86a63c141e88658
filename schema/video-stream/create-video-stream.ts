import { createVideoStream } from '../../src/domain/video-stream/create-video-stream.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { VideoResolution } from './video-stream.ts';
import { shownFields, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

const PlatformInput = builder.inputType('StreamPlatformInput', {
  description: 'What a stream is sent from.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name, at most 100 characters.' }),
    version: t.string({ required: true, description: 'Version, at most 100 characters.' }),
  }),
});

mutationField(
  'createVideoStream',
  {
    description: 'What to stream.',
    inputFields: (t) => ({
      title: t.string({ required: true, description: 'Headline, 1 to 150 characters.' }),
      resolution: t.field({ type: VideoResolution, description: 'How sharp it is; HD unless told.' }),
      platform: t.field({ type: PlatformInput, description: 'What it is sent from.' }),
      channelEnabled: t.boolean({ description: 'Whether it gets a chat, whose moderator is the viewer.' }),
      ...shownFields(t),
    }),
  },
  {
    description: 'Makes a live stream, for a post to show. A media service says where it is sent to and watched.',
    errors: {},
    resolve: async (_, { input }, context) => ({ videoStream: await createVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
