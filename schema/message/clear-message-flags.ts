import { clearMessageFlags } from '../../src/domain/message/moderation/unflag-message.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';

mutationField(
  'clearMessageFlags',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Takes everybody's flags on a message back; for those who delete messages there.",
    errors: {},
    resolve: async (_, { input }, context) => ({ chatMessage: await clearMessageFlags(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
