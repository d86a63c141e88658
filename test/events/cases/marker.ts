import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';
import {
  createChannel,
  createFeed,
  createMessage,
  createUser,
  type Feed,
  feedMarkerEvent,
  firstFeedOf,
  markersEvent,
  syncEvent,
  type User,
} from './people-fixtures.ts';

/** A member of a channel whose two feeds each have one unread message. */
async function createReader(context: CaseContext) {
  const user = await createUser(context);
  const channel = await createChannel(context, { members: [user] });
  const feed = await firstFeedOf(context, channel);
  const secondFeed = await createFeed(context, channel);
  const message = await createMessage(context, feed);
  await createMessage(context, secondFeed);
  return { user, as: user.userId, channel, feed, secondFeed, message };
}

/** Of one read message in each feed. */
async function readEvents(context: CaseContext, user: User, ...feeds: Feed[]): Promise<ExpectedEvent[]> {
  const receipts = feeds.map((feed) => feedMarkerEvent('marker.marked-message', context, { ...feed, segment: 1 }));
  return [markersEvent(user, ...feeds), syncEvent(user, ...feeds), ...(await Promise.all(receipts))];
}

const MUTATION_ID = 'clientMutationId';

export const MARKER_CASES: EventCase[] = [
  {
    operation: 'markRead',
    situation: 'unread messages',
    async prepare(context) {
      const { user, as, feed } = await createReader(context);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      return { as, input, events: await readEvents(context, user, feed) };
    },
  },
  {
    operation: 'markRead',
    situation: 'messages that are read already',
    async prepare(context) {
      const { as, feed } = await createReader(context);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      await context.mutate(as, 'markRead', input, MUTATION_ID);
      return { as, input };
    },
  },
  {
    operation: 'markRead',
    situation: 'by a user who is not a member',
    async prepare(context) {
      const { feed } = await createReader(context);
      const { userId } = await createUser(context);
      const input = { messageFeedId: feed.messageFeedId, readToSegment: 1 };
      return { as: userId, input, code: 'FORBIDDEN' };
    },
  },
  {
    operation: 'markDelivering',
    situation: 'a message that was not delivered before',
    async prepare(context) {
      const { user, as, feed, message } = await createReader(context);
      const input = { messageFeedId: feed.messageFeedId, messageId: message.messageId };
      const receipt = await feedMarkerEvent('marker.marked-message', context, { ...feed, segment: 1 });
      return { as, input, events: [markersEvent(user, feed), receipt] };
    },
  },
  {
    operation: 'markDelivering',
    situation: 'again',
    async prepare(context) {
      const { as, feed, message } = await createReader(context);
      const input = { messageFeedId: feed.messageFeedId, messageId: message.messageId };
      await context.mutate(as, 'markDelivering', input, MUTATION_ID);
      return { as, input };
    },
  },
  {
    operation: 'markChannelRead',
    situation: 'all feeds in one event for the reader',
    async prepare(context) {
      const { user, as, channel, feed, secondFeed } = await createReader(context);
      return { as, input: { channelId: channel.channelId }, events: await readEvents(context, user, feed, secondFeed) };
    },
  },
  {
    operation: 'markChannelRead',
    situation: 'with one feed read already',
    async prepare(context) {
      const { user, as, channel, feed, secondFeed } = await createReader(context);
      await context.mutate(as, 'markRead', { messageFeedId: feed.messageFeedId, readToSegment: 1 }, MUTATION_ID);
      return { as, input: { channelId: channel.channelId }, events: await readEvents(context, user, secondFeed) };
    },
  },
  {
    operation: 'markChannelsSeen',
    situation: 'with an unread default feed',
    async prepare(context) {
      const { user, as, channel, feed } = await createReader(context);
      const input = { channels: [{ channelId: channel.channelId }] };
      return { as, input, events: await readEvents(context, user, feed) };
    },
  },
  {
    operation: 'markChannelsSeen',
    situation: 'with a read default feed',
    async prepare(context) {
      const { as, channel } = await createReader(context);
      const input = { channels: [{ channelId: channel.channelId }] };
      await context.mutate(as, 'markChannelsSeen', input, MUTATION_ID);
      return { as, input };
    },
  },
  {
    operation: 'keepReading',
    situation: 'starts reading',
    async prepare(context) {
      const { user, as, feed, secondFeed } = await createReader(context);
      const input = { messageFeedIds: [feed.messageFeedId, secondFeed.messageFeedId] };
      return { as, input, events: [markersEvent(user, feed, secondFeed)] };
    },
  },
  {
    operation: 'keepReading',
    situation: 'continues reading, as clients report every few seconds',
    async prepare(context) {
      const { as, feed } = await createReader(context);
      const input = { messageFeedIds: [feed.messageFeedId] };
      await context.mutate(as, 'keepReading', input, MUTATION_ID);
      return { as, input };
    },
  },
  {
    operation: 'stopReading',
    situation: 'after starting',
    async prepare(context) {
      const { user, as, feed } = await createReader(context);
      await context.mutate(as, 'keepReading', { messageFeedIds: [feed.messageFeedId] }, MUTATION_ID);
      return { as, input: { messageFeedId: feed.messageFeedId }, events: [markersEvent(user, feed)] };
    },
  },
  {
    operation: 'stopReading',
    situation: 'without having started',
    async prepare(context) {
      const { as, feed } = await createReader(context);
      return { as, input: { messageFeedId: feed.messageFeedId } };
    },
  },
  {
    operation: 'syncMarkers',
    situation: 'records the time of the sync only',
    prepare: async (context) => ({ as: (await createReader(context)).as, input: {} }),
  },
];
