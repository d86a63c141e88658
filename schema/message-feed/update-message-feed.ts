import { updateMessageFeed } from '../../src/domain/message-feed/change-message-feed.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MESSAGE_FEED_PAYLOAD } from './message-feed-payload.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ messageFeed: await updateMessageFeed(context, input) }),
  },
  MESSAGE_FEED_PAYLOAD,
);
