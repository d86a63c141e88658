import { z } from 'zod';
import type { PostData, PostRecord } from '../../store/records/content.ts';
import { emptyPostDetails } from '../../store/records/content.ts';
import { flagFields } from '../flag/flag-reason.ts';
import { id, json, tags, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

/** Attachment types whose content is a file. */
export const ATTACHMENT_TYPES = ['image', 'file', 'video', 'audio', 'clip'] as const;
/** Attachment types whose content is another record. */
const LINKED_TYPES = ['poll', 'liveStream', 'room'] as const;

export type LinkedType = (typeof LINKED_TYPES)[number];

const MAX_ATTACHMENTS = 10;
export const MAX_TEXT = 20_000;

const dataType = z.union(
  [
    z.enum(['text', ...ATTACHMENT_TYPES, ...LINKED_TYPES]),
    text({ max: 100 }).regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/, 'must be a dotted name'),
  ],
  `one of text, ${[...ATTACHMENT_TYPES, ...LINKED_TYPES].join(', ')}, or a custom name that contains a dot`,
);

/** How a clip is played. */
const clipOptions = {
  displayMode: z.enum(['fill', 'fit']).nullish().describe('How a clip fits its frame; `fill` by default.'),
  isMuted: z.boolean().nullish().describe('Whether a clip plays without sound. Default: false.'),
};

export const postAttachment = z.object({
  type: z.enum(ATTACHMENT_TYPES).describe('Kind of attachment.'),
  fileId: id().describe('File id of a file that the viewer uploaded.'),
  thumbnailFileId: id()
    .nullish()
    .describe('File id of the thumbnail of a video or clip: an image that the viewer uploaded.'),
  ...clipOptions,
});
export type AttachmentInput = z.output<typeof postAttachment>;

export const postText = z.object({
  title: text({ min: 0, max: 150 }).nullish().describe('Title.'),
  text: text({ min: 0, max: MAX_TEXT }).nullish().describe('Text; its hashtags are indexed.'),
});

/** The data of a post after an input: an empty text removes a field, an absent one leaves it unchanged. */
export function withText(data: PostData, input: z.output<typeof postText> = {}): PostData {
  const after = { ...data };
  for (const name of Object.keys(postText.shape) as Array<keyof typeof postText.shape>) {
    if (input[name]) after[name] = input[name];
    else if (input[name] !== undefined) delete after[name];
  }
  return after;
}

/** Clears the text of a post. */
export const NO_TEXT = { title: null, text: null } as const;

/** Input fields for creating and updating a post. */
const content = {
  attachments: z
    .array(postAttachment)
    .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS}`)
    .nullish()
    .describe('Files, each once. They become child posts.'),
  tags: tags().nullish().describe('Tags.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
  mentionees: mentionees().nullish().describe('Mentioned users.'),
};

export const videoFile = z.object({ original: id().nullish().describe('File id of the uploaded video.') });

export const postData = postText.extend({
  fileId: id().nullish().describe('File id of an `image`, `file`, `video`, `audio` or `clip` post.'),
  thumbnailFileId: id().nullish().describe('File id of the thumbnail of a `video` or `clip` post.'),
  videoFileId: videoFile.nullish().describe('File of a `video` post, in the form that REST clients send.'),
  ...clipOptions,
  pollId: id().nullish().describe('Public id of a poll of the viewer, for a `poll` post.'),
  streamId: id().nullish().describe('Public id of a video stream of the viewer, for a `liveStream` post.'),
  roomId: id().nullish().describe('Public id of a room of the viewer, for a `room` post.'),
});

/** Fields that are stored as the input sets them; null resets one. */
export function detailsOf(
  input: { [Name in StoredDetail]?: PostRecord[Name] | null | undefined },
): Partial<PostRecord> {
  const given = STORED_DETAILS.filter((name) => input[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, input[name] ?? emptyPostDetails()[name]]));
}

const STORED_DETAILS = ['tags', 'metadata'] as const satisfies ReadonlyArray<keyof typeof content & keyof PostRecord>;
type StoredDetail = (typeof STORED_DETAILS)[number];

export const createPostInput = z.object({
  targetType: z.enum(['community', 'user']).describe('Kind of place to publish in.'),
  targetId: id().describe('Public id of the community or user.'),
  dataType: dataType
    .nullish()
    .describe(
      'Kind of post: `text` (default), `image`, `file`, `video`, `audio`, `clip`, `poll`, `liveStream`, `room`, or a custom name that contains a dot.',
    ),
  data: postData.nullish().describe('Content.'),
  sharedPostId: id().nullish().describe('Public id of the published post to share.'),
  ...content,
});
export type CreatePostInput = z.input<typeof createPostInput>;
export type NewPostInput = z.output<typeof createPostInput>;

export const postIdInput = z.object({ postId: id().describe('Public id of the post.') });

export const updatePostInput = postIdInput.extend({ data: postText.nullish().describe('Title and text.'), ...content });
export const flagPostInput = postIdInput.extend(flagFields);
export const deletePostInput = postIdInput.extend({
  permanent: z
    .boolean()
    .nullish()
    .describe('Whether to erase the content; requires the permission to delete posts there. Default: false.'),
});
export type UpdatePostInput = z.input<typeof updatePostInput>;

/** The distinct words after `#` in a text. They consist of letters, digits and underscores of any script. */
export function hashtagsOf(words: string): string[] {
  const found = [...words.matchAll(/(?<![\p{L}\p{N}_&/])#([\p{L}\p{N}\p{M}_]{1,100})/gu)].map((match) => match[1]!);
  return [...new Set(found)].slice(0, MAX_HASHTAGS);
}

const MAX_HASHTAGS = 30;
