import { unflagMessage } from '../../src/domain/message/moderation/unflag-message.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';

mutationField(
  'unflagMessage',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Takes the viewer's flag on a message back; without one nothing happens.",
    errors: {},
    resolve: async (_, { input }, context) => ({ chatMessage: await unflagMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
