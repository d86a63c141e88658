import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterEach(() => expectConsistent(gateway));
afterAll(() => gateway.close());

interface SentMessage {
  messageId: string;
  segment: number;
  feed: string;
  by: string;
  mentions: string[];
  isDeleted: boolean;
}

const OTHERS = ['bob', 'carol', 'heidi'];

/** Counts unread messages independently of the gateway. */
class UnreadModel {
  messages: SentMessage[] = [];
  feeds: string[] = [];
  members = new Set(OTHERS);
  readTo = new Map<string, number>();

  expected(as: string): Array<{ feedId: string; unreadCount: number; isMentioned: boolean }> {
    if (!this.members.has(as)) return [];
    return this.feeds.map((feedId) => {
      const unread = this.messages.filter(
        ({ feed, by, segment, isDeleted }) =>
          feed === feedId && by !== as && !isDeleted && segment > (this.readTo.get(`${as} ${feedId}`) ?? 0),
      );
      const isMentioned = unread.some(({ mentions }) => mentions.includes(as) || mentions.includes('everybody'));
      return { feedId, unreadCount: unread.length, isMentioned };
    });
  }

  readAll(as: string): void {
    for (const feed of this.feeds) this.readTo.set(`${as} ${feed}`, this.lastOf(feed));
  }

  lastOf(feed: string): number {
    return Math.max(0, ...this.messages.filter((one) => one.feed === feed).map(({ segment }) => segment));
  }
}

/** A deterministic generator of random integers. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test('unread counts and mentions equal a recount after joining, leaving, editing and deleting', async () => {
  const { channel } = await mutate(
    'alice',
    'createChannel',
    { displayName: 'Life', userIds: OTHERS },
    'channel { channelId internalId defaultMessageFeedId }',
  );
  const { channelId, internalId } = channel;
  const model = new UnreadModel();
  model.feeds.push(channel.defaultMessageFeedId);
  const random = createRandom(7);
  const pick = <One>(from: readonly One[]): One => from[random(from.length)]!;
  const mentionsOf = (names: string[]) => [
    ...(names.includes('everybody') ? [{ type: 'CHANNEL' }] : []),
    ...names.filter((name) => name !== 'everybody').map((name) => ({ type: 'USER', userIds: [name] })),
  ];
  const totals = new Map<string, number>();

  async function answered(as: string) {
    const { data } = await gateway.graphql<{
      viewerMarker: { unreadCount: number };
      channel: { viewerMarker: { unreadCount: number; isMentioned: boolean } | null };
      viewerFeedMarkers: Array<{ feedId: string; unreadCount: number; isMentioned: boolean }>;
    }>(
      `query All($feeds: [String!]!, $channelId: String!) { viewerMarker { unreadCount }
        channel(channelId: $channelId) { viewerMarker { unreadCount isMentioned } }
        viewerFeedMarkers(messageFeedIds: $feeds) { feedId unreadCount isMentioned } }`,
      { as, variables: { feeds: model.feeds, channelId } },
    );
    return data;
  }

  async function compare(as: string, step: string): Promise<void> {
    const wanted = model.expected(as);
    const found = await answered(as);
    const sum = wanted.reduce((total, one) => total + one.unreadCount, 0);
    expect({ step, as, feeds: found.viewerFeedMarkers }).toEqual({ step, as, feeds: wanted });
    expect({ step, as, ...found.channel.viewerMarker }).toEqual({
      step,
      as,
      unreadCount: sum,
      isMentioned: wanted.some(({ isMentioned }) => isMentioned),
    });
    expect({ step, as, total: found.viewerMarker.unreadCount }).toEqual({ step, as, total: totals.get(as)! + sum });
  }

  const steps: { [name: string]: () => Promise<unknown> } = {
    async send() {
      const by = pick(['alice', ...model.members]);
      const feed = pick(model.feeds);
      const names = random(3) === 0 ? [pick(['everybody', ...OTHERS])] : [];
      const mentions = names.filter((name) => name === 'everybody' || (name !== by && model.members.has(name)));
      const input = { messageFeedId: feed, data: { text: 'x' }, mentionedUsers: mentionsOf(names) };
      const { chatMessage } = await mutate(by, 'sendMessage', input, 'chatMessage { messageId segment }');
      model.messages.push({ ...chatMessage, feed, by, mentions, isDeleted: false });
      model.readTo.set(`${by} ${feed}`, chatMessage.segment);
    },
    async delete() {
      const remaining = model.messages.filter(({ isDeleted, feed }) => !isDeleted && model.feeds.includes(feed));
      if (remaining.length === 0) return;
      const one = pick(remaining.slice(-4));
      await mutate('alice', 'deleteMessage', { messageId: one.messageId }, 'chatMessage { isDeleted }');
      one.isDeleted = true;
    },
    async edit() {
      const remaining = model.messages.filter(({ isDeleted, feed }) => !isDeleted && model.feeds.includes(feed));
      const one = remaining.at(-1);
      if (!one) return;
      const names = random(2) === 0 ? [] : [pick([...model.members, 'everybody'])];
      const input = { messageId: one.messageId, mentionedUsers: mentionsOf(names) };
      await mutate('alice', 'updateMessage', input, 'chatMessage { isDeleted }');
      one.mentions = names.filter((name) => name !== one.by);
    },
    async read() {
      const as = pick([...model.members]);
      const feed = pick(model.feeds);
      const readToSegment = random(model.lastOf(feed) + 1);
      await mutate(as, 'markRead', { messageFeedId: feed, readToSegment }, 'userMarker { unreadCount }');
      const key = `${as} ${feed}`;
      model.readTo.set(key, Math.max(model.readTo.get(key) ?? 0, readToSegment));
    },
    async leaveOrJoin() {
      const as = pick(OTHERS);
      const isMember = model.members.has(as);
      if (isMember && model.members.size === 1) return;
      await mutate(as, isMember ? 'leaveChannel' : 'joinChannel', { channelId }, 'channel { channelId }');
      if (isMember) model.members.delete(as);
      else {
        model.members.add(as);
        model.readAll(as);
      }
    },
    async feed() {
      if (model.feeds.length < 3) {
        const created = await mutate(
          'alice',
          'createMessageFeed',
          { channelId: internalId, name: 'Aside' },
          'messageFeed { messageFeedId }',
        );
        model.feeds.push(created.messageFeed.messageFeedId);
      } else {
        const messageFeedId = model.feeds.pop()!;
        await mutate('alice', 'deleteMessageFeed', { messageFeedId }, 'messageFeed { isDeleted }');
      }
    },
  };
  for (const as of OTHERS) totals.set(as, (await answered(as)).viewerMarker.unreadCount);
  const order = ['send', 'send', 'send', 'send', 'delete', 'edit', 'read', 'leaveOrJoin', 'delete', 'feed'];
  for (let number = 0; number < 70; number += 1) {
    const step = pick(order);
    await steps[step]!();
    for (const as of OTHERS) await compare(as, `${number} ${step}`);
  }
}, 240_000);
