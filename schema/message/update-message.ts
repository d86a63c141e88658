import { updateMessage } from '../../src/domain/message/update-message.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';
import { messageFields } from './message-fields.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ chatMessage: await updateMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
