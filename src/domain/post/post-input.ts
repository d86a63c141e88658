import { z } from 'zod';
import { id, json, tags, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

/** What a child post shows that is a file. */
export const ATTACHMENT_TYPES = ['image', 'file', 'video', 'audio'] as const;
/** What a child post shows that is a record of its own. */
const LINKED_TYPES = ['poll', 'liveStream', 'room'] as const;

export type LinkedType = (typeof LINKED_TYPES)[number];

const MAX_ATTACHMENTS = 10;
export const MAX_TEXT = 20_000;

const dataType = z.union(
  [
    z.enum(['text', ...ATTACHMENT_TYPES, ...LINKED_TYPES]),
    text({ max: 100 }).regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/, 'no kind of post'),
  ],
  `one of text, ${[...ATTACHMENT_TYPES, ...LINKED_TYPES].join(', ')}, or a name with dots of your own`,
);

const attachment = z.object({
  type: z.enum(ATTACHMENT_TYPES),
  fileId: id(),
  thumbnailFileId: id().nullish(),
});
export type AttachmentInput = z.output<typeof attachment>;

export const said = {
  title: text({ min: 0, max: 150 }).nullish(),
  text: text({ min: 0, max: MAX_TEXT }).nullish(),
};

/** What both making and changing a post take. */
export const shared = {
  attachments: z.array(attachment).max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS}`).nullish(),
  tags: tags().nullish(),
  metadata: json().nullish(),
  mentionees: mentionees().nullish(),
};

export const createPostInput = z.object({
  targetType: z.enum(['community', 'user']),
  targetId: id(),
  dataType: dataType.nullish(),
  data: z
    .object({
      ...said,
      fileId: id().nullish(),
      thumbnailFileId: id().nullish(),
      videoFileId: z.object({ original: id().nullish() }).nullish(),
      pollId: id().nullish(),
      streamId: id().nullish(),
      roomId: id().nullish(),
    })
    .nullish(),
  sharedPostId: id().nullish(),
  ...shared,
});
export type CreatePostInput = z.input<typeof createPostInput>;
export type NewPostInput = z.output<typeof createPostInput>;

export const updatePostInput = z.object({ postId: id(), data: z.object(said).nullish(), ...shared });
export type UpdatePostInput = z.input<typeof updatePostInput>;

/** Words after `#` in the text, each once, as they stand there: letters, digits and underscores of any script. */
export function hashtagsOf(words: string): string[] {
  const found = [...words.matchAll(/(?<![\p{L}\p{N}_&/])#([\p{L}\p{N}\p{M}_]{1,100})/gu)].map((match) => match[1]!);
  return [...new Set(found)].slice(0, MAX_HASHTAGS);
}

const MAX_HASHTAGS = 30;
