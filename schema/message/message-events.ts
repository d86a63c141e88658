import type { MessageRecord } from '../../src/store/records/chat.ts';
import type { ReactionRecord } from '../../src/store/records/content.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Reaction } from '../reaction/reaction.ts';
import { Message } from './message.ts';

eventType('message', {
  about: 'a message',
  fields: (t) => ({
    chatMessage: t.field({
      type: Message,
      description: 'The message; without its content if it is deleted.',
      resolve: fromPayload<MessageRecord>('chatMessage'),
    }),
  }),
});

eventType('messageReaction', {
  about: 'the reactions on a message',
  fields: (t) => ({
    chatMessage: t.field({
      type: Message,
      description: 'The message.',
      resolve: fromPayload<MessageRecord>('chatMessage'),
    }),
    reactor: t.field({
      type: Reaction,
      description: 'The reaction.',
      resolve: fromPayload<ReactionRecord>('reaction'),
    }),
  }),
});
