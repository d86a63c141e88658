import { firstFeedOf, newChannel, newFeed, newMessage, newUser, ofMarkers } from './people-made.ts';
import type { EventRow, World } from './row.ts';

/** A reader who has read nothing of two feeds, each with one message. */
async function newReader(world: World) {
  const user = await newUser(world);
  const channel = await newChannel(world, { members: [user] });
  const feed = await firstFeedOf(world, channel);
  const aside = await newFeed(world, channel);
  const message = await newMessage(world, feed);
  await newMessage(world, aside);
  return { user, as: user.userId, channel, feed, aside, message };
}

const nothing = 'clientMutationId';

export const MARKER_ROWS: EventRow[] = [
  {
    operation: 'markRead',
    situation: 'what was unread',
    async prepare(world) {
      const { user, as, feed } = await newReader(world);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      return { as, input, events: [ofMarkers(user, feed)] };
    },
  },
  {
    operation: 'markRead',
    situation: 'what was read: nothing moves',
    async prepare(world) {
      const { as, feed } = await newReader(world);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      await world.make(as, 'markRead', input, nothing);
      return { as, input };
    },
  },
  {
    operation: 'markRead',
    situation: 'by somebody who is no member',
    async prepare(world) {
      const { feed } = await newReader(world);
      const { userId } = await newUser(world);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      return { as: userId, input, code: 'FORBIDDEN' };
    },
  },
  {
    operation: 'markDelivering',
    situation: 'a message that had not come',
    async prepare(world) {
      const { user, as, feed, message } = await newReader(world);
      const input = { messageFeedId: feed.messageFeedId, messageId: message.messageId };
      return { as, input, events: [ofMarkers(user, feed)] };
    },
  },
  {
    operation: 'markDelivering',
    situation: 'once more',
    async prepare(world) {
      const { as, feed, message } = await newReader(world);
      const input = { messageFeedId: feed.messageFeedId, messageId: message.messageId };
      await world.make(as, 'markDelivering', input, nothing);
      return { as, input };
    },
  },
  {
    operation: 'markChannelRead',
    situation: 'all of its feeds at once: one event',
    async prepare(world) {
      const { user, as, channel, feed, aside } = await newReader(world);
      return { as, input: { channelId: channel.channelId }, events: [ofMarkers(user, feed, aside)] };
    },
  },
  {
    operation: 'markChannelRead',
    situation: 'of which one feed was read',
    async prepare(world) {
      const { user, as, channel, feed, aside } = await newReader(world);
      await world.make(as, 'markRead', { messageFeedId: feed.messageFeedId, readToSegment: 1 }, nothing);
      return { as, input: { channelId: channel.channelId }, events: [ofMarkers(user, aside)] };
    },
  },
  {
    operation: 'markChannelsSeen',
    situation: 'whose first feed was unread',
    async prepare(world) {
      const { user, as, channel, feed } = await newReader(world);
      const input = { channels: [{ channelId: channel.channelId }] };
      return { as, input, events: [ofMarkers(user, feed)] };
    },
  },
  {
    operation: 'markChannelsSeen',
    situation: 'whose first feed was read',
    async prepare(world) {
      const { as, channel } = await newReader(world);
      const input = { channels: [{ channelId: channel.channelId }] };
      await world.make(as, 'markChannelsSeen', input, nothing);
      return { as, input };
    },
  },
  {
    operation: 'keepReading',
    situation: 'begins to read',
    async prepare(world) {
      const { user, as, feed, aside } = await newReader(world);
      const input = { messageFeedIds: [feed.messageFeedId, aside.messageFeedId] };
      return { as, input, events: [ofMarkers(user, feed, aside)] };
    },
  },
  {
    operation: 'keepReading',
    situation: 'goes on reading, as is said every few seconds',
    async prepare(world) {
      const { as, feed } = await newReader(world);
      const input = { messageFeedIds: [feed.messageFeedId] };
      await world.make(as, 'keepReading', input, nothing);
      return { as, input };
    },
  },
  {
    operation: 'stopReading',
    situation: 'ends a reading',
    async prepare(world) {
      const { user, as, feed } = await newReader(world);
      await world.make(as, 'keepReading', { messageFeedIds: [feed.messageFeedId] }, nothing);
      return { as, input: { messageFeedId: feed.messageFeedId }, events: [ofMarkers(user, feed)] };
    },
  },
  {
    operation: 'stopReading',
    situation: 'without having begun',
    async prepare(world) {
      const { as, feed } = await newReader(world);
      return { as, input: { messageFeedId: feed.messageFeedId } };
    },
  },
  {
    operation: 'syncMarkers',
    situation: 'notes when it was, and moves nothing',
    prepare: async (world) => ({ as: (await newReader(world)).as, input: {} }),
  },
];
