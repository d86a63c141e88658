import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';

interface History {
  removals: number;
  flags: number;
  bans: number;
}

const AUTHOR = 'ivan';
const NOTHING: History = { removals: 0, flags: 0, bans: 0 };

let gateway: TestGateway;
let elsewhere: string;
const mutate = successfulMutations(() => gateway);
const items = {} as { [place in 'community' | 'channel' | 'feed']: string };

beforeAll(async () => {
  gateway = await openTestNetwork();
  const others = { displayName: 'Elsewhere', isPublic: false, userIds: [AUTHOR, 'carol'] };
  const created = await mutate('frank', 'createCommunity', others, 'community { communityId }');
  elsewhere = created.community.communityId;
  await mutate('carol', 'muteChannel', { channelId: 'seed-exchange', mutePeriod: 0 });
  await mutate('carol', 'addChannelMembers', { channelId: 'seed-exchange', userIds: [AUTHOR] });
  const role = { roleId: 'feeds', displayName: 'Feeds', permissions: ['EDIT_USER_FEED_POST'], rank: 1 };
  await mutate('admin', 'createRole', role);
  await mutate('admin', 'addUserRoles', { userId: 'kim', roleIds: ['feeds'] });
  items.community = `kind: POST, itemId: "${await flaggedPost('COMMUNITY', 'gardeners')}"`;
  items.feed = `kind: POST, itemId: "${await flaggedPost('USER', AUTHOR)}"`;
  items.channel = `kind: MESSAGE, itemId: "${await flaggedMessage('gardeners-chat')}"`;
});
afterAll(() => gateway.close());

async function flaggedPost(targetType: string, targetId: string): Promise<string> {
  const input = { targetType, targetId, data: { text: 'Buy now' } };
  const { post } = await mutate(AUTHOR, 'createPost', input, 'post { postId }');
  await mutate('carol', 'flagPost', { postId: post.postId });
  return post.postId;
}

async function flaggedMessage(channelId: string): Promise<string> {
  const input = { channelId, data: { text: 'Buy now' } };
  const { chatMessage } = await mutate(AUTHOR, 'sendMessage', input, 'chatMessage { messageId }');
  await mutate('carol', 'flagMessage', { messageId: chatMessage.messageId });
  return chatMessage.messageId;
}

/** The history of the author as moderators see it beside an item. */
async function historyOf(item: string, as: string): Promise<History> {
  const { moderationItem } = await ask(
    gateway,
    `{ moderationItem(${item}) { authorHistory { removals flags bans } } }`,
    {
      as,
    },
  );
  return moderationItem.authorHistory;
}

const seen = async () => ({
  community: await historyOf(items.community, 'alice'),
  channel: await historyOf(items.channel, 'alice'),
  feed: await historyOf(items.feed, 'kim'),
  network: await historyOf(items.community, 'admin'),
});

/** By how much the counts of each moderator grow. */
async function growth(act: () => Promise<unknown>) {
  const before = await seen();
  await act();
  const after = await seen();
  const difference = (place: keyof typeof before): History => ({
    removals: after[place].removals - before[place].removals,
    flags: after[place].flags - before[place].flags,
    bans: after[place].bans - before[place].bans,
  });
  return {
    community: difference('community'),
    channel: difference('channel'),
    feed: difference('feed'),
    network: difference('network'),
  };
}

test('acts in another community are in the history of moderators of the network only', async () => {
  const counts = await growth(async () => {
    await flaggedPost('COMMUNITY', elsewhere);
    await mutate('frank', 'deletePost', { postId: await flaggedPost('COMMUNITY', elsewhere) });
    await mutate('frank', 'banCommunityMembers', { communityId: elsewhere, userIds: [AUTHOR] });
  });
  // Bans from a community are bans from its chat too, which are no acts of their own.
  expect(counts).toEqual({
    community: NOTHING,
    channel: NOTHING,
    feed: NOTHING,
    network: { removals: 1, flags: 2, bans: 1 },
  });
});

test('acts in another channel are in the history of moderators of the network only', async () => {
  const counts = await growth(async () => {
    await mutate('carol', 'deleteMessage', { messageId: await flaggedMessage('seed-exchange') });
    await mutate('carol', 'banChannelMembers', { channelId: 'seed-exchange', userIds: [AUTHOR] });
  });
  expect(counts).toEqual({
    community: NOTHING,
    channel: NOTHING,
    feed: NOTHING,
    network: { removals: 1, flags: 1, bans: 1 },
  });
});

test('acts in the community of an item are not in the history beside an item of its chat', async () => {
  const counts = await growth(async () => {
    await mutate('alice', 'deletePost', { postId: await flaggedPost('COMMUNITY', 'gardeners') });
  });
  const one = { removals: 1, flags: 1, bans: 0 };
  expect(counts).toEqual({ community: one, channel: NOTHING, feed: NOTHING, network: one });
});

test('acts outside of communities are in the history of those who moderate there, and in no community', async () => {
  const counts = await growth(async () => {
    await mutate('admin', 'deletePost', { postId: await flaggedPost('USER', AUTHOR) });
    await mutate('admin', 'banUser', { userId: AUTHOR });
    await mutate('admin', 'unbanUser', { userId: AUTHOR });
  });
  const one = { removals: 1, flags: 1, bans: 1 };
  expect(counts).toEqual({ community: NOTHING, channel: NOTHING, feed: one, network: one });
});

test('users who moderate another place have no history beside an item', async () => {
  for (const [item, as] of [
    [items.community, 'frank'],
    [items.channel, 'carol'],
    [items.feed, 'alice'],
  ] as const) {
    const { moderationItem } = await ask(gateway, `{ moderationItem(${item}) { authorHistory { flags } } }`, { as });
    expect(moderationItem, as).toBeNull();
  }
});
