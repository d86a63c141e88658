import { updateMessageFeed, updateMessageFeedInput } from '../../src/domain/message-feed/change-message-feed.ts';
import { createMessageFeed, createMessageFeedInput } from '../../src/domain/message-feed/create-message-feed.ts';
import { deleteMessageFeed, deleteMessageFeedInput } from '../../src/domain/message-feed/delete-message-feed.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MessageFeed } from './message-feed.ts';

mutationField(
  'createMessageFeed',
  inputOf(createMessageFeedInput),
  {
    description: 'Adds a message feed to a channel.',
    resolve: async (_, { input }, context) => ({ messageFeed: await createMessageFeed(context, input) }),
    ...causes('message-feed.created'),
  },
  {
    outputFields: (t) => ({
      messageFeed: t.expose('messageFeed', { type: MessageFeed, description: 'The new message feed.' }),
    }),
  },
);

mutationField(
  'updateMessageFeed',
  inputOf(updateMessageFeedInput),
  {
    description: 'Renames a message feed.',
    resolve: async (_, { input }, context) => ({ messageFeed: await updateMessageFeed(context, input) }),
    ...causes('message-feed.updated'),
  },
  {
    outputFields: (t) => ({
      messageFeed: t.expose('messageFeed', { type: MessageFeed, description: 'The updated message feed.' }),
    }),
  },
);

mutationField(
  'deleteMessageFeed',
  inputOf(deleteMessageFeedInput),
  {
    description: 'Deletes a message feed with its messages. The default message feed of a channel cannot be deleted.',
    resolve: (_, { input }, context) => deleteMessageFeed(context, input),
    ...causes('message-feed.deleted'),
  },
  {
    outputFields: (t) => ({
      messageFeed: t.expose('messageFeed', { type: MessageFeed, description: 'The deleted message feed.' }),
      hasMore: t.exposeBoolean('hasMore', {
        description: 'Whether messages remain to be erased; each call erases at most 1,000.',
      }),
    }),
  },
);
