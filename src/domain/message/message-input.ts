import { z } from 'zod';
import { id, json, tags, text } from '../input.ts';

export const MESSAGE_DATA_TYPES = ['text', 'image', 'file', 'video', 'audio', 'custom'] as const;
export type MessageDataType = (typeof MESSAGE_DATA_TYPES)[number];

export const MAX_MESSAGE_TEXT = 20_000;
/** The most users that one message mentions. */
export const MAX_MENTIONED = 30;

const mention = z.object({
  type: z.enum(['user', 'channel']),
  userIds: z.array(id(50)).max(MAX_MENTIONED, `at most ${MAX_MENTIONED}`).nullish(),
});

/** What can be said anew when a message is edited. */
export const messageContent = z.object({
  data: json().nullish(),
  fileId: id().nullish(),
  thumbnailFileId: id().nullish(),
  tags: tags().nullish(),
  metadata: json().nullish(),
  mentionedUsers: z.array(mention).max(MAX_MENTIONED, `at most ${MAX_MENTIONED}`).nullish(),
});
export type MessageContent = z.output<typeof messageContent>;

export const newMessage = messageContent.extend({
  messageFeedId: id(30).nullish(),
  channelId: id().nullish(),
  dataType: z.enum(MESSAGE_DATA_TYPES).nullish(),
  parentId: id(150).nullish(),
  referenceId: id(150).nullish(),
});
export type NewMessage = z.input<typeof newMessage>;

/** What `data` must hold, by type (legacy-facts §6.2); what else the client puts into it is kept. */
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
