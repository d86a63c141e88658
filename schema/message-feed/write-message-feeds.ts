import { updateMessageFeed } from '../../src/domain/message-feed/change-message-feed.ts';
import { createMessageFeed } from '../../src/domain/message-feed/create-message-feed.ts';
import { deleteMessageFeed } from '../../src/domain/message-feed/delete-message-feed.ts';
import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import type { SchemaTypes } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
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

mutationField(
  'createMessageFeed',
  {
    description: 'In which channel, and its name.',
    inputFields: (t) => ({
      channelId: t.string({ required: true, description: 'Public or internal id of the channel.' }),
      name: t.string({ required: true, description: 'Its name, 1 to 100 characters.' }),
    }),
  },
  {
    description: 'Adds a message feed to a channel.',
    resolve: async (_, { input }, context) => ({ messageFeed: await createMessageFeed(context, input) }),
  },
  MESSAGE_FEED_PAYLOAD,
);

mutationField(
  'updateMessageFeed',
  {
    description: 'Which message feed, and its name.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
      name: t.string({ required: true, description: 'Its name, 1 to 100 characters.' }),
    }),
  },
  {
    description: 'Gives a message feed another name.',
    resolve: async (_, { input }, context) => ({ messageFeed: await updateMessageFeed(context, input) }),
  },
  MESSAGE_FEED_PAYLOAD,
);

mutationField(
  'deleteMessageFeed',
  {
    description: 'Which message feed, and whether for good.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
      permanent: t.boolean({
        description: 'Whether its name and what was said in it are erased too, also from moderators’ eyes.',
      }),
    }),
  },
  {
    description: 'Deletes a message feed with all that was said in it. The one that a channel began with stays.',
    resolve: (_, { input }, context) => deleteMessageFeed(context, input),
  },
  {
    description: 'The message feed as it is now.',
    outputFields: (t) => ({
      messageFeed: t.expose('messageFeed', { type: MessageFeed, description: 'The message feed.' }),
      hasMore: t.exposeBoolean('hasMore', {
        description: 'Whether messages are left to erase, beyond the 1,000 of one call: ask again.',
      }),
    }),
  },
);
