import { createVideoStream } from '../../src/domain/video-stream/create-video-stream.ts';
import {
  deleteVideoStream,
  startVideoStream,
  stopVideoStream,
  updateVideoStream,
} from '../../src/domain/video-stream/update-video-stream.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { VideoResolution } from './video-stream.ts';
import { shownFields, streamIdField, VIDEO_STREAM_PAYLOAD } from './video-stream-payload.ts';

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
    resolve: async (_, { input }, context) => ({ videoStream: await createVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);

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
    resolve: async (_, { input }, context) => ({ videoStream: await updateVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'startVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Says that an idle stream is live now.',
    resolve: async (_, { input }, context) => ({ videoStream: await startVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'stopVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Says that a live stream is over.',
    resolve: async (_, { input }, context) => ({ videoStream: await stopVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);

mutationField(
  'deleteVideoStream',
  {
    description: 'Which stream.',
    inputFields: (t) => ({ ...streamIdField(t) }),
  },
  {
    description: 'Deletes a stream with its chat; one that is live ends.',
    resolve: async (_, { input }, context) => ({ videoStream: await deleteVideoStream(context, input) }),
  },
  VIDEO_STREAM_PAYLOAD,
);
