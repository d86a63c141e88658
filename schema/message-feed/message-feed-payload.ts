import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import type { SchemaTypes } from '../builder.ts';
import { MessageFeed } from './message-feed.ts';

/** What a mutation of a message feed answers. */
export const MESSAGE_FEED_PAYLOAD = {
  description: 'The message feed as it is now.',
  outputFields: (
    t: PothosSchemaTypes.ObjectFieldBuilder<
      PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
      { messageFeed: MessageFeedRecord }
    >,
  ) => ({
    messageFeed: t.expose('messageFeed', { type: MessageFeed, description: 'The message feed.' }),
  }),
};
