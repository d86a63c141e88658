import { deleteMessageFeed } from '../../src/domain/message-feed/change-message-feed.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MESSAGE_FEED_PAYLOAD } from './message-feed-payload.ts';

mutationField(
  'deleteMessageFeed',
  {
    description: 'Which message feed.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
    }),
  },
  {
    description: 'Deletes a message feed with all that was said in it. The one that a channel began with stays.',
    errors: {},
    resolve: async (_, { input }, context) => ({ messageFeed: await deleteMessageFeed(context, input) }),
  },
  MESSAGE_FEED_PAYLOAD,
);
