import { deleteMessage } from '../../src/domain/message/delete-message.ts';
import type { MESSAGE_DATA_TYPES } from '../../src/domain/message/message-input.ts';
import { sendMessage } from '../../src/domain/message/send-message.ts';
import { updateMessage } from '../../src/domain/message/update-message.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MentionType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Message } from './message.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

export const MessageDataType = restEnum<(typeof MESSAGE_DATA_TYPES)[number]>(
  'MessageDataType',
  'Kind of content of a message; determines the shape of `data`.',
  {
    text: 'Text: `{text}`. Default.',
    image: 'Image file with an optional caption: `{fileId, caption}`.',
    file: 'File for download with an optional caption: `{fileId, caption}`.',
    video: 'Video file with an optional caption: `{fileId, caption}`.',
    audio: 'Audio file with an optional caption: `{fileId, caption}`.',
    custom: 'Any JSON object, defined by the application.',
  },
);

const MessageMention = builder.inputType('MessageMentionInput', {
  description: 'Whom a message mentions.',
  fields: (t) => ({
    type: t.field({ type: MentionType, required: true, description: 'Users, or everybody in the channel.' }),
    userIds: t.stringList({ description: 'Public ids of the users; at most 30 in one message.' }),
  }),
});

/** What a message says, when it is sent and when it is edited. */
export const messageFields = (t: InputFields) => ({
  data: t.field({
    type: 'JSONObject',
    description:
      'The content: `{text}` of 1 to 20,000 characters for text; `{fileId, caption}` for a picture, file, video or audio; anything for custom.',
  }),
  fileId: t.string({ description: 'File id of the picture, file, video or audio; the same as in `data`.' }),
  thumbnailFileId: t.string({ description: 'File id of the still of a picture or video.' }),
  tags: t.stringList({ description: 'Tags, at most 20 of 1 to 100 characters.' }),
  metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
  mentionedUsers: t.field({ type: [MessageMention], description: 'Who is mentioned, at most 30 users.' }),
});

mutationField(
  'sendMessage',
  {
    description: 'What to say, and where.',
    inputFields: (t) => ({
      messageFeedId: t.string({ description: 'Id of the message feed; this or `channelId`.' }),
      channelId: t.string({ description: 'Public id of a channel, for the message feed it began with.' }),
      dataType: t.field({ type: MessageDataType, description: 'What it holds; text unless told.' }),
      ...messageFields(t),
      parentId: t.string({ description: 'Id of the message of the same feed that this one replies to.' }),
      referenceId: t.string({ description: "The client's own id of the sending, at most 150 characters." }),
    }),
  },
  {
    description: 'Sends a message. Members do; in a broadcast moderators alone. The sender has read up to it.',
    resolve: async (_, { input }, context) => ({ chatMessage: await sendMessage(context, input) }),
  },
  {
    description: 'The message as it was sent.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);

mutationField(
  'updateMessage',
  {
    description: 'Which message, and what it says now.',
    inputFields: (t) => ({
      messageId: t.string({ required: true, description: 'Id of the message.' }),
      ...messageFields(t),
    }),
  },
  {
    description: "Edits a message: one's own, or any with EDIT_MESSAGE. What is left out stays as it is.",
    resolve: async (_, { input }, context) => ({ chatMessage: await updateMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);

mutationField(
  'deleteMessage',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Deletes a message: one's own, or any with DELETE_MESSAGE. It keeps its place without its content.",
    resolve: async (_, { input }, context) => ({ chatMessage: await deleteMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
