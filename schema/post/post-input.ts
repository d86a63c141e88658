import type { ATTACHMENT_TYPES } from '../../src/domain/post/post-input.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

const PostAttachmentType = restEnum<(typeof ATTACHMENT_TYPES)[number]>(
  'PostAttachmentType',
  'Kind of attachment of a post. The file must be of the same type, except for `FILE`.',
  {
    image: 'An image.',
    file: 'A file offered for download, of any file type.',
    video: 'A video or clip, with an optional thumbnail.',
    audio: 'An audio file.',
  },
);

export const PostAttachmentInput = builder.inputType('PostAttachmentInput', {
  description: 'A file that a post shows; it becomes a child post.',
  fields: (t) => ({
    type: t.field({
      type: PostAttachmentType,
      required: true,
      description: 'What it holds; any file can be a `FILE`.',
    }),
    fileId: t.string({ required: true, description: 'Public id of a file of the viewer.' }),
    thumbnailFileId: t.string({ description: 'The still of a video: a file of the viewer.' }),
  }),
});

const VideoFileInput = builder.inputType('VideoFileInput', {
  description: 'The file of a video.',
  fields: (t) => ({ original: t.string({ description: 'As uploaded.' }) }),
});

export const PostTextInput = builder.inputType('PostTextInput', {
  description: 'What a post says. What is left out stays; null or an empty text goes.',
  fields: (t) => ({
    title: t.string({ description: 'Headline, at most 150 characters.' }),
    text: t.string({ description: 'Text, at most 20,000 characters. Hashtags are read from it.' }),
  }),
});

export const PostDataInput = builder.inputType('PostDataInput', {
  description: 'What a new post shows. A file, poll, stream or room becomes a child post.',
  fields: (t) => ({
    title: t.string({ description: 'Headline, at most 150 characters.' }),
    text: t.string({ description: 'Text, at most 20,000 characters. Hashtags are read from it.' }),
    fileId: t.string({ description: 'The file of an `image`, `file`, `video` or `audio`; as one attachment.' }),
    thumbnailFileId: t.string({ description: 'The still of that video.' }),
    videoFileId: t.field({ type: VideoFileInput, description: 'The file of a `video`, as REST clients name it.' }),
    pollId: t.string({ description: 'A poll of the viewer, for `poll`.' }),
    streamId: t.string({ description: 'A stream of the viewer, for `liveStream`.' }),
    roomId: t.string({ description: 'A room of the viewer, for `room`.' }),
  }),
});
