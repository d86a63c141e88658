import { flagMessage } from '../../src/domain/message/moderation/flag-message.ts';
import { clearMessageFlags, unflagMessage } from '../../src/domain/message/moderation/unflag-message.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Message } from './message.ts';

mutationField(
  'flagMessage',
  {
    description: 'Which message, and why.',
    inputFields: (t) => ({
      messageId: t.string({ required: true, description: 'Public id.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description:
      'Tells the moderators of a message. One flag a user: a repeat changes the reason. Enough flags delete the message where its channel says so.',
    resolve: async (_, { input }, context) => ({ message: await flagMessage(context, input) }),
  },
  {
    description: 'The flagged message.',
    outputFields: (t) => ({
      message: t.expose('message', { type: Message, description: 'The message as it is now, perhaps deleted.' }),
    }),
  },
);

mutationField(
  'unflagMessage',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Takes the viewer's flag on a message back; without one nothing happens.",
    resolve: async (_, { input }, context) => ({ chatMessage: await unflagMessage(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);

mutationField(
  'clearMessageFlags',
  {
    description: 'Which message.',
    inputFields: (t) => ({ messageId: t.string({ required: true, description: 'Id of the message.' }) }),
  },
  {
    description: "Takes everybody's flags on a message back; for those who delete messages there.",
    resolve: async (_, { input }, context) => ({ chatMessage: await clearMessageFlags(context, input) }),
  },
  {
    description: 'The message as it is now.',
    outputFields: (t) => ({ chatMessage: t.expose('chatMessage', { type: Message, description: 'The message.' }) }),
  },
);
