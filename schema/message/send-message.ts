import { sendMessage } from '../../src/domain/message/send-message.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';
import { MessageDataType, messageFields } from './message-fields.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ chatMessage: await sendMessage(context, input) }),
  },
  {
    description: 'The message as it was sent.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
