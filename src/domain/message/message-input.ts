import { z } from 'zod';
import { flagFields } from '../flag/flag-reason.ts';
import { id, json, tags, text } from '../input.ts';

export const MESSAGE_DATA_TYPES = ['text', 'image', 'file', 'video', 'audio', 'custom'] as const;
export type MessageDataType = (typeof MESSAGE_DATA_TYPES)[number];

export const MAX_MESSAGE_TEXT = 20_000;
/** Maximum users that one message can mention. */
export const MAX_MENTIONED = 30;

export const messageMention = z.object({
  type: z.enum(['user', 'channel']).describe('Kind of mention.'),
  userIds: z
    .array(id(50))
    .max(MAX_MENTIONED, `at most ${MAX_MENTIONED}`)
    .nullish()
    .describe('Public ids of the users, unless all members are mentioned.'),
});

/** Input fields for sending and editing a message. */
export const messageContent = {
  data: json()
    .nullish()
    .describe(
      'Content: `{text}` of 1 to 20,000 characters for text; `{fileId, caption}` for an image, file, video or audio; any object for custom content.',
    ),
  fileId: id().nullish().describe('File id of the image, file, video or audio; an alternative to `data.fileId`.'),
  thumbnailFileId: id().nullish().describe('File id of the thumbnail of an image or video.'),
  tags: tags().nullish().describe('Tags.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
  mentionedUsers: z
    .array(messageMention)
    .max(MAX_MENTIONED, `at most ${MAX_MENTIONED}`)
    .nullish()
    .describe('Mentions, which together name at most 30 users.'),
};

export const messageIdInput = z.object({ messageId: id(150).describe('Id of the message.') });
export const flagMessageInput = messageIdInput.extend(flagFields);
export type MessageContent = z.output<z.ZodObject<typeof messageContent>>;

export const sendMessageInput = z.object({
  ...messageContent,
  messageFeedId: id()
    .nullish()
    .describe(
      'Id of the message feed, or public id of a channel for its default message feed; either this or `channelId` is required.',
    ),
  channelId: id().nullish().describe('Public id of the channel to whose default message feed the message is sent.'),
  dataType: z.enum(MESSAGE_DATA_TYPES).nullish().describe('Kind of content; text by default.'),
  parentId: id(150).nullish().describe('Id of the message to reply to, in the same message feed.'),
  referenceId: id(150).nullish().describe('Id chosen by the client to recognize the message, at most 150 characters.'),
});
export type NewMessage = z.input<typeof sendMessageInput>;

/** The required shape of `data` by type; other properties are kept as sent. */
export const DATA_SHAPES: { [Type in MessageDataType]: z.ZodType } = {
  text: z.object({ text: text({ max: MAX_MESSAGE_TEXT }) }),
  image: fileShape(),
  file: fileShape(),
  video: fileShape(),
  audio: fileShape(),
  custom: z.object({}),
};

function fileShape() {
  return z.object({
    fileId: id(),
    thumbnailFileId: id().nullish(),
    caption: text({ min: 0, max: MAX_MESSAGE_TEXT }).nullish(),
  });
}
