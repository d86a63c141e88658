import { deleteMessageFeed } from '../../src/domain/message-feed/delete-message-feed.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MessageFeed } from './message-feed.ts';

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
    errors: {},
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
