import {
  type ATTACHMENT_TYPES,
  postAttachment,
  postData,
  postText,
  videoFile,
} from '../../src/domain/post/post-input.ts';
import { inputType } from '../shared/input-fields.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ClipDisplayMode } from './post.ts';

const PostAttachmentType = restEnum<(typeof ATTACHMENT_TYPES)[number]>(
  'PostAttachmentType',
  'Kind of attachment of a post. The file must be of the same type, except for `FILE`.',
  {
    image: 'An image.',
    file: 'A file offered for download, of any file type.',
    video: 'A video or clip, with an optional thumbnail.',
    audio: 'An audio file.',
    clip: 'A clip or video, with an optional thumbnail, `displayMode` and `isMuted`.',
  },
);

export const PostAttachmentInput = inputType('PostAttachmentInput', 'A file of a post, which becomes a child post.', {
  schema: postAttachment,
  types: { type: PostAttachmentType, displayMode: ClipDisplayMode },
});

const VideoFileInput = inputType('VideoFileInput', 'The file of a video.', { schema: videoFile });

export const PostTextInput = inputType(
  'PostTextInput',
  'Title and text of a post. Omitted fields stay unchanged; null or an empty text clears a field.',
  { schema: postText },
);

export const PostDataInput = inputType(
  'PostDataInput',
  'Content of a new post. A file, poll, video stream or room becomes a child post.',
  { schema: postData, types: { videoFileId: VideoFileInput, displayMode: ClipDisplayMode } },
);
