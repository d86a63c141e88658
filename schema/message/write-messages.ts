import { deleteMessage } from '../../src/domain/message/delete-message.ts';
import {
  type MESSAGE_DATA_TYPES,
  messageIdInput,
  messageMention,
  sendMessageInput,
} from '../../src/domain/message/message-input.ts';
import { sendMessage } from '../../src/domain/message/send-message.ts';
import { updateMessage, updateMessageInput } from '../../src/domain/message/update-message.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MentionType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Message } from './message.ts';

const MessageDataType = restEnum<(typeof MESSAGE_DATA_TYPES)[number]>(
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

const MessageMentionInput = inputType('MessageMentionInput', 'A mention in a message.', {
  schema: messageMention,
  types: { type: MentionType },
});

mutationField(
  'sendMessage',
  inputOf(sendMessageInput, { dataType: MessageDataType, mentionedUsers: MessageMentionInput }),
  {
    description:
      'Sends a message to a message feed. Allowed for members of the channel; in a broadcast channel for moderators only. Also raises the read position of the viewer to the message. `RATE_LIMITED` above the rate limit of the channel.',
    resolve: async (_, { input }, context) => ({ chatMessage: await sendMessage(context, input) }),
    ...causes('message.created', 'marker.userFeed-updated', 'marker.feed-updated'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('chatMessage', { type: Message, description: 'The new message.' }),
    }),
  },
);

mutationField(
  'updateMessage',
  inputOf(updateMessageInput, { mentionedUsers: MessageMentionInput }),
  {
    description:
      'Edits a message. Omitted fields stay unchanged. Allowed for its author and for users with EDIT_MESSAGE.',
    resolve: async (_, { input }, context) => ({ chatMessage: await updateMessage(context, input) }),
    ...causes('message.updated'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('chatMessage', { type: Message, description: 'The edited message.' }),
    }),
  },
);

mutationField(
  'deleteMessage',
  inputOf(messageIdInput),
  {
    description:
      'Deletes a message, which keeps its segment without content. Allowed for its author and for users with DELETE_MESSAGE.',
    resolve: async (_, { input }, context) => ({ chatMessage: await deleteMessage(context, input) }),
    ...causes('message.deleted'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('chatMessage', { type: Message, description: 'The deleted message.' }),
    }),
  },
);
