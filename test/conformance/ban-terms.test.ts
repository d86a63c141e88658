import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { liftEndedBansAndMutes } from '../../src/domain/moderation/lift-ended-bans-and-mutes.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const HOUR = 3_600_000;
const networkId = 'default';

let gateway: TestGateway;
let clock: () => Date;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway();
  clock = gateway.services.now;
});
afterEach(() => setClock(0));
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

/** Sets the clock of the gateway forward, from the true time. */
function setClock(hours: number): void {
  gateway.services.now = () => new Date(clock().getTime() + hours * HOUR);
}

const inHours = (hours: number) => new Date(clock().getTime() + hours * HOUR).toISOString();
const lift = () => liftEndedBansAndMutes(createContext(gateway.services, null), networkId);
const eventsOf = (type: string) =>
  gateway.services.store.collections.events.countDocuments({ networkId, type } as object);
const systemActs = (action: string) =>
  gateway.services.store.collections.auditEntries.find({ networkId, action, actorKind: 'system' }).toArray();

const TERMS = 'reason expiresAt bannedBy { userId }';
async function bans(filter: string, as = 'admin') {
  const { data } = await gateway.graphql<{ bans: { edges: Array<{ node: { userId: string } }> } }>(
    `{ bans(first: 50, filter: { ${filter} }) { edges { node { kind userId communityId channelId ${TERMS} } } } }`,
    { as },
  );
  return data!.bans.edges.map(({ node }) => node);
}

describe('a ban from the network', () => {
  const signInAgain = () =>
    gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': gateway.keys.API_KEY },
      body: { userId: 'carol' },
    });

  test('has a reason and an end, of which the sign-in reports the end only', async () => {
    const expiresAt = inHours(2);
    await mutate('admin', 'banUser', { userId: 'carol', reason: 'Spam', expiresAt }, '__typename');
    expect(await bans('kind: NETWORK, userId: "carol"')).toEqual([
      {
        kind: 'NETWORK',
        userId: 'carol',
        communityId: null,
        channelId: null,
        reason: 'Spam',
        expiresAt,
        bannedBy: { userId: 'admin' },
      },
    ]);
    const refused = await signInAgain();
    expect(refused).toMatchObject({ status: 403, body: { code: 400312 } });
    expect(refused.body.message).toContain(`until ${expiresAt}`);
    expect(JSON.stringify(refused.body)).not.toContain('Spam');
    const query = 'mutation { createSession(input: { userId: "carol" }) { ... on OperationError { code expiresAt } } }';
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data: { createSession: object } };
    expect(data.createSession).toEqual({ code: 'GLOBALLY_BANNED', expiresAt });
  });

  test('changes its terms when they are given again, and only then', async () => {
    const events = await eventsOf('user.didGlobalBan');
    await mutate('admin', 'banUser', { userId: 'carol' }, '__typename');
    expect(await bans('kind: NETWORK, userId: "carol"')).toMatchObject([{ reason: 'Spam' }]);
    const expiresAt = inHours(3);
    await mutate('admin', 'banUser', { userId: 'carol', reason: 'More spam', expiresAt }, '__typename');
    expect(await bans('kind: NETWORK, userId: "carol"')).toMatchObject([{ reason: 'More spam', expiresAt }]);
    expect(await eventsOf('user.didGlobalBan')).toBe(events);
  });

  test('is visible to users who may ban only', async () => {
    const query = `{ user(userId: "carol") { isGlobalBan ban { ${TERMS} } } }`;
    const seenBy = async (as: string) => (await gateway.graphql<{ user: object }>(query, { as })).data!.user;
    expect(await seenBy('bob')).toEqual({ isGlobalBan: true, ban: null });
    expect(await seenBy('admin')).toMatchObject({ isGlobalBan: true, ban: { reason: 'More spam' } });
    expect(await bans('kind: NETWORK', 'bob')).toEqual([]);
  });

  test('ends at its time in lists, flags and sign-ins, before that is stored', async () => {
    setClock(4);
    expect(await bans('kind: NETWORK, userId: "carol"')).toEqual([]);
    const { body } = await gateway.rest('/api/v3/users/carol', { as: 'bob' });
    expect(body.users[0]).toMatchObject({ userId: 'carol', isGlobalBan: false });
    expect(await mutate('admin', 'unbanUser', { userId: 'carol' }, '__typename')).toMatchObject({ code: 'NOT_BANNED' });
    expect(await signInAgain()).toMatchObject({ status: 200 });
    const { users } = gateway.services.store.collections;
    expect(await users.findOne({ networkId, userId: 'carol' })).toMatchObject({ isGlobalBan: true });
  });

  test('is lifted once, with the event of an unban and an act of the system', async () => {
    const before = await eventsOf('user.didGlobalUnban');
    await lift();
    expect(await eventsOf('user.didGlobalUnban')).toBe(before);
    setClock(4);
    // Two processes.
    await Promise.all([lift(), lift()]);
    await lift();
    expect(await eventsOf('user.didGlobalUnban')).toBe(before + 1);
    expect(await systemActs('unbanUser')).toMatchObject([
      { subjectId: 'carol', actorId: null, transport: 'background' },
    ]);
    const stored = await gateway.services.store.collections.users.findOne({ networkId, userId: 'carol' });
    expect(stored).toMatchObject({ isGlobalBan: false });
    expect(stored).not.toHaveProperty('ban');
  });

  test.each([
    ['in the past', () => inHours(-1)],
    ['after more than ten years', () => inHours(24 * 366 * 11)],
  ])('rejects an end %s', async (_, end) => {
    const answer = await mutate('admin', 'banUser', { userId: 'dave', expiresAt: end() }, '__typename');
    expect(answer).toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});

describe('a ban from a community', () => {
  const input = { communityId: 'gardeners', userIds: ['bob'] };
  const membersOf = async (membership: string, as = 'alice') => {
    const { data } = await gateway.graphql<{ community: { members: { edges: Array<{ node: { userId: string } }> } } }>(
      `{ community(communityId: "gardeners") { members(first: 50, memberships: [${membership}]) { edges { node { userId } } } } }`,
      { as },
    );
    return data!.community.members.edges.map(({ node }) => node.userId);
  };
  const seesPost = async () => {
    const query = '{ post(postId: "seedlings") { postId } community(communityId: "gardeners") { viewerCanJoin } }';
    return (await gateway.graphql<{ post: object | null; community: object }>(query, { as: 'bob' })).data;
  };

  test('has terms that moderators of the community see', async () => {
    await mutate('alice', 'banCommunityMembers', { ...input, reason: 'Rude', expiresAt: inHours(1) }, '__typename');
    const ofCommunity = 'kind: COMMUNITY, communityId: "gardeners", userId: "bob"';
    expect(await bans(ofCommunity, 'alice')).toMatchObject([{ reason: 'Rude', bannedBy: { userId: 'alice' } }]);
    expect(await bans(ofCommunity, 'dave')).toEqual([]);
    expect(await bans('kind: COMMUNITY, userId: "bob"', 'alice')).toEqual([]);
    expect(await bans('kind: COMMUNITY, userId: "bob"', 'admin')).toMatchObject([{ communityId: 'gardeners' }]);
    expect(await bans('kind: CHANNEL, channelId: "gardeners-chat", userId: "bob"', 'alice')).toMatchObject([
      { reason: 'Rude' },
    ]);
    expect(await seesPost()).toMatchObject({ community: { viewerCanJoin: false } });
    expect(await membersOf('BANNED')).toContain('bob');
  });

  test('ends at its time in kept answers, lists and the chat, before that is stored', async () => {
    setClock(2);
    expect(await seesPost()).toMatchObject({ post: { postId: 'seedlings' }, community: { viewerCanJoin: true } });
    expect(await membersOf('BANNED')).not.toContain('bob');
    expect(await membersOf('NONE')).toContain('bob');
    expect(await bans('kind: COMMUNITY, communityId: "gardeners", userId: "bob"', 'alice')).toEqual([]);
    const chat = await gateway.rest('/api/v4/channels/gardeners-chat/users', { as: 'bob' });
    expect(chat.status).toBe(200);
    expect(await mutate('alice', 'unbanCommunityMembers', input, '__typename')).toMatchObject({ code: 'NOT_BANNED' });
  });

  test('is lifted once together with the ban from the chat', async () => {
    const names = ['community.userUnbanned', 'community.userChanged', 'channel.unbanned'];
    const before = await Promise.all(names.map(eventsOf));
    setClock(2);
    await Promise.all([lift(), lift()]);
    await lift();
    expect(await Promise.all(names.map(eventsOf))).toEqual(before.map((count) => count + 1));
    expect(await systemActs('unbanCommunityMembers')).toMatchObject([{ subjectId: 'bob', communityId: 'gardeners' }]);
    expect(await systemActs('unbanChannelMembers')).toEqual([]);
  });

  test('can be joined after its end, which leaves nothing to lift', async () => {
    await mutate('alice', 'banCommunityMembers', { ...input, expiresAt: inHours(1) }, '__typename');
    setClock(2);
    expect(await mutate('bob', 'joinCommunity', { communityId: 'gardeners' }, '__typename')).not.toHaveProperty('code');
    const unbans = await eventsOf('community.userUnbanned');
    await lift();
    expect(await eventsOf('community.userUnbanned')).toBe(unbans);
    expect(await membersOf('MEMBER')).toContain('bob');
    const { channelUsers } = gateway.services.store.collections;
    const inChat = await channelUsers.findOne({ networkId, channelId: 'gardeners-chat', userId: 'bob' });
    expect(inChat).toMatchObject({ membership: 'member', isBanned: false });
    expect(inChat).not.toHaveProperty('ban');
  });
});

describe('a ban from a channel', () => {
  const input = { channelId: 'seed-exchange', userIds: ['erin'] };
  const bannedIn = async () => {
    const { body } = await gateway.rest('/api/v4/channels/seed-exchange/users?memberships[]=banned', { as: 'carol' });
    return (body.channelUsers as Array<{ userId: string }>).map(({ userId }) => userId);
  };

  test('ends at its time and is lifted once', async () => {
    await mutate('carol', 'banChannelMembers', { ...input, reason: 'Noise', expiresAt: inHours(1) }, '__typename');
    expect(await bans('kind: CHANNEL, channelId: "seed-exchange", userId: "erin"', 'carol')).toMatchObject([
      { userId: 'erin', reason: 'Noise' },
    ]);
    expect(await bannedIn()).toContain('erin');
    const unbans = await eventsOf('channel.unbanned');
    setClock(2);
    expect(await bannedIn()).not.toContain('erin');
    await Promise.all([lift(), lift()]);
    expect(await eventsOf('channel.unbanned')).toBe(unbans + 1);
    expect(await systemActs('unbanChannelMembers')).toMatchObject([{ subjectId: 'erin', channelId: 'seed-exchange' }]);
    expect(await mutate('erin', 'joinChannel', { channelId: 'seed-exchange' }, '__typename')).not.toHaveProperty(
      'code',
    );
  });

  test('is ended for a user who is banned from the network, too', async () => {
    const heidi = { ...input, userIds: ['heidi'] };
    await mutate('carol', 'banChannelMembers', heidi, '__typename');
    await mutate('admin', 'banUser', { userId: 'heidi' }, '__typename');
    expect(await mutate('carol', 'unbanChannelMembers', heidi, 'channelUsers { userId membership }')).toMatchObject({
      channelUsers: [{ userId: 'heidi', membership: 'NONE' }],
    });
    await mutate('admin', 'unbanUser', { userId: 'heidi' }, '__typename');
  });

  test('takes no terms over REST', async () => {
    const body = { userIds: ['erin'], reason: 'Unknown to REST', expiresAt: inHours(1) };
    const { status } = await gateway.rest('/api/v3/channels/seed-exchange/users/ban', {
      as: 'carol',
      method: 'PUT',
      body,
    });
    expect(status).toBe(200);
    expect(await bans('kind: CHANNEL, channelId: "seed-exchange", userId: "erin"', 'carol')).toMatchObject([
      { reason: null, expiresAt: null },
    ]);
    await mutate('carol', 'unbanChannelMembers', input, '__typename');
    expect(await bans('kind: CHANNEL, channelId: "seed-exchange", userId: "erin"', 'carol')).toEqual([]);
  });
});

test('a banned user signs in again with a new session after the end of the ban', async () => {
  const statusOf = async (token: string) =>
    (await fetch(`${gateway.url}/api/v3/users/erin`, { headers: { authorization: `Bearer ${token}` } })).status;
  const token = await signIn(gateway, 'erin');
  expect(await statusOf(token)).toBe(200);
  await mutate('admin', 'banUser', { userId: 'erin', expiresAt: inHours(1) }, '__typename');
  expect(await statusOf(token)).toBe(401);
  setClock(2);
  expect(await statusOf(await signIn(gateway, 'erin'))).toBe(200);
  expect(await statusOf(token)).toBe(401);
  await lift();
});

test('a process that fails while it stores an end leaves no part of it, and the next one completes it', async () => {
  await mutate('admin', 'banUser', { userId: 'heidi', expiresAt: inHours(1) }, '__typename');
  const unbans = await eventsOf('user.didGlobalUnban');
  setClock(2);
  const { events, users } = gateway.services.store.collections;
  const fault = vi.spyOn(events, 'insertMany').mockRejectedValueOnce(new Error('interrupted'));
  await lift();
  fault.mockRestore();
  expect(await users.findOne({ networkId, userId: 'heidi' })).toMatchObject({ isGlobalBan: true });
  const acts = async () => (await systemActs('unbanUser')).filter(({ subjectId }) => subjectId === 'heidi');
  expect(await acts()).toEqual([]);
  await lift();
  expect(await users.findOne({ networkId, userId: 'heidi' })).toMatchObject({ isGlobalBan: false });
  expect(await eventsOf('user.didGlobalUnban')).toBe(unbans + 1);
  expect(await acts()).toHaveLength(1);
});

test('terms that an older release left on a lifted ban have no effect', async () => {
  const { communityUsers } = gateway.services.store.collections;
  const ban = { reason: null, expiresAt: new Date(inHours(-1)), bannedBy: 'alice', bannedAt: new Date(inHours(-2)) };
  const membership = { networkId, communityId: 'gardeners', userId: 'alice' };
  await communityUsers.updateOne(membership, { $set: { ban } });
  const unbans = await eventsOf('community.userUnbanned');
  await lift();
  expect(await communityUsers.findOne(membership)).toMatchObject({ communityMembership: 'member' });
  expect(await eventsOf('community.userUnbanned')).toBe(unbans);
  const query = '{ community(communityId: "gardeners") { viewerCanEdit } }';
  expect((await gateway.graphql(query, { as: 'alice' })).data).toEqual({ community: { viewerCanEdit: true } });
});
