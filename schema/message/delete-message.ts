import { removeMessage } from '../../src/domain/message/delete-message.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';

mutationField(
  'deleteMessage',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Deletes a message: one's own, or any with DELETE_MESSAGE. It keeps its place without its content.",
    errors: {},
    resolve: async (_, { input }, context) => ({ chatMessage: await removeMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
