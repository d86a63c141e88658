import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { MessageFeed } from './message-feed.ts';

eventType('messageFeed', {
  about: 'a message feed',
  fields: (t) => ({
    messageFeed: t.field({
      type: MessageFeed,
      description: 'The message feed.',
      resolve: fromPayload<MessageFeedRecord>('messageFeed'),
    }),
  }),
});
