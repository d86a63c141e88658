import type { MessageRecord } from '../../src/store/records/chat.ts';
import type { ReactionRecord } from '../../src/store/records/content.ts';
import { eventType, told } from '../event/event-type.ts';
import { Reaction } from '../reaction/reaction.ts';
import { Message } from './message.ts';

eventType('message', {
  about: 'a message',
  fields: (t) => ({
    chatMessage: t.field({
      type: Message,
      description: 'The message; without what it said once it is deleted.',
      resolve: told<MessageRecord>('chatMessage'),
    }),
  }),
});

eventType('messageReaction', {
  about: 'the reactions on a message',
  fields: (t) => ({
    chatMessage: t.field({ type: Message, description: 'The message.', resolve: told<MessageRecord>('chatMessage') }),
    reactor: t.field({ type: Reaction, description: 'The reaction.', resolve: told<ReactionRecord>('reaction') }),
  }),
});
