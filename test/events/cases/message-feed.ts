import type { EventCase } from './event-case.ts';
import { createChannel, createFeed, createMessage, createUser, feedEvent } from './people-fixtures.ts';

const MUTATION_ID = 'clientMutationId';

export const MESSAGE_FEED_CASES: EventCase[] = [
  {
    operation: 'createMessageFeed',
    situation: 'in addition to the default feed',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      return {
        input: { channelId, name: 'Aside' },
        select: 'messageFeed { messageFeedId path }',
        events: ({ messageFeed }) => [feedEvent('message-feed.created', { ...messageFeed, channelId })],
      };
    },
  },
  {
    operation: 'createMessageFeed',
    situation: 'without permission',
    async prepare(context) {
      const user = await createUser(context);
      const channel = await createChannel(context, { members: [user] });
      return { as: user.userId, input: { channelId: channel.channelId, name: 'Mine' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'updateMessageFeed',
    situation: 'its name',
    async prepare(context) {
      const feed = await createFeed(context, await createChannel(context));
      const input = { messageFeedId: feed.messageFeedId, name: 'Another' };
      return { input, events: [feedEvent('message-feed.updated', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'with a message in it',
    async prepare(context) {
      const feed = await createFeed(context, await createChannel(context));
      await createMessage(context, feed);
      return { input: { messageFeedId: feed.messageFeedId }, events: [feedEvent('message-feed.deleted', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'permanently, with its messages',
    async prepare(context) {
      const feed = await createFeed(context, await createChannel(context));
      await createMessage(context, feed);
      const input = { messageFeedId: feed.messageFeedId, permanent: true };
      return { input, events: [feedEvent('message-feed.deleted', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'permanently, after it was deleted: no second event',
    async prepare(context) {
      const { messageFeedId } = await createFeed(context, await createChannel(context));
      await context.mutate('alice', 'deleteMessageFeed', { messageFeedId }, MUTATION_ID);
      return { input: { messageFeedId, permanent: true } };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'a deleted feed',
    async prepare(context) {
      const { messageFeedId } = await createFeed(context, await createChannel(context));
      await context.mutate('alice', 'deleteMessageFeed', { messageFeedId }, MUTATION_ID);
      return { input: { messageFeedId }, code: 'NOT_FOUND' };
    },
  },
];
