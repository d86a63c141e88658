import { createMessageFeed } from '../../src/domain/message-feed/create-message-feed.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MESSAGE_FEED_PAYLOAD } from './message-feed-payload.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ messageFeed: await createMessageFeed(context, input) }),
  },
  MESSAGE_FEED_PAYLOAD,
);
