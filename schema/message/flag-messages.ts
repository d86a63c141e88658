import { flagMessageInput, messageIdInput } from '../../src/domain/message/message-input.ts';
import { clearMessageFlags, flagMessage, unflagMessage } from '../../src/domain/message/moderation/flag-message.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';

mutationField(
  'flagMessage',
  inputOf(flagMessageInput, { reason: FlagReason }),
  {
    description:
      'Flags a message for its moderators. A user has at most one flag on a message; flagging it again changes the reason. Enough flags delete the message if its channel is configured so.',
    resolve: async (_, { input }, context) => ({ message: await flagMessage(context, input) }),
    ...causes('message.deleted', 'message.flagged'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('message', {
        type: Message,
        description: 'The flagged message, deleted if the flag did so.',
      }),
      message: t.expose('message', {
        type: Message,
        description: 'The flagged message.',
        deprecationReason: 'Use `chatMessage`, as in all other mutations of messages.',
      }),
    }),
  },
);

mutationField(
  'unflagMessage',
  inputOf(messageIdInput),
  {
    description: 'Withdraws the flag of the viewer on a message. Does nothing if there is none.',
    resolve: async (_, { input }, context) => ({ chatMessage: await unflagMessage(context, input) }),
    ...causes('message.unflagged'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('chatMessage', { type: Message, description: 'The message without the flag.' }),
    }),
  },
);

mutationField(
  'clearMessageFlags',
  inputOf(messageIdInput),
  {
    description: 'Removes all flags from a message. Allowed for users who can delete messages there.',
    resolve: async (_, { input }, context) => ({ chatMessage: await clearMessageFlags(context, input) }),
    ...causes('message.flagCleared'),
  },
  {
    outputFields: (t) => ({
      chatMessage: t.expose('chatMessage', { type: Message, description: 'The message without flags.' }),
    }),
  },
);
