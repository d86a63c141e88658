import { newChannel, newFeed, newMessage, newUser, ofFeed } from './people-made.ts';
import type { EventRow } from './row.ts';

const nothing = 'clientMutationId';

export const MESSAGE_FEED_ROWS: EventRow[] = [
  {
    operation: 'createMessageFeed',
    situation: 'beside the first',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      return {
        input: { channelId, name: 'Aside' },
        select: 'messageFeed { messageFeedId path }',
        events: ({ messageFeed }) => [ofFeed('message-feed.created', { ...messageFeed, channelId })],
      };
    },
  },
  {
    operation: 'createMessageFeed',
    situation: 'without the right',
    async prepare(world) {
      const user = await newUser(world);
      const channel = await newChannel(world, { members: [user] });
      return { as: user.userId, input: { channelId: channel.channelId, name: 'Mine' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'updateMessageFeed',
    situation: 'its name',
    async prepare(world) {
      const feed = await newFeed(world, await newChannel(world));
      const input = { messageFeedId: feed.messageFeedId, name: 'Another' };
      return { input, events: [ofFeed('message-feed.updated', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'with a message in it',
    async prepare(world) {
      const feed = await newFeed(world, await newChannel(world));
      await newMessage(world, feed);
      return { input: { messageFeedId: feed.messageFeedId }, events: [ofFeed('message-feed.deleted', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'for good: its messages go with it',
    async prepare(world) {
      const feed = await newFeed(world, await newChannel(world));
      await newMessage(world, feed);
      const input = { messageFeedId: feed.messageFeedId, permanent: true };
      return { input, events: [ofFeed('message-feed.deleted', feed)] };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'for good, one that is deleted: nobody was shown it any more',
    async prepare(world) {
      const { messageFeedId } = await newFeed(world, await newChannel(world));
      await world.make('alice', 'deleteMessageFeed', { messageFeedId }, nothing);
      return { input: { messageFeedId, permanent: true } };
    },
  },
  {
    operation: 'deleteMessageFeed',
    situation: 'that is deleted',
    async prepare(world) {
      const { messageFeedId } = await newFeed(world, await newChannel(world));
      await world.make('alice', 'deleteMessageFeed', { messageFeedId }, nothing);
      return { input: { messageFeedId }, code: 'NOT_FOUND' };
    },
  },
];
