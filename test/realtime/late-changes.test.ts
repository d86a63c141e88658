import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StreamProxy, startStreamProxy } from '../cache/stream-proxy.ts';
import { type Database, openDatabase } from '../support/faulty-gateway.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, liveClient } from '../support/live.ts';
import { useMqttClients } from '../support/mqtt-client.ts';
import { ask, successfulMutations } from '../support/mutate.ts';

let database: Database;
let proxy: StreamProxy;
let gateway: TestGateway;
const mutate = successfulMutations(() => gateway);
const connectMqtt = useMqttClients();

beforeAll(async () => {
  database = await openDatabase();
  proxy = await startStreamProxy(database.target, () => 0);
  gateway = await startTestGateway({ MONGODB_URI: proxy.uri });
});
afterEach(() => proxy.set('none'));
afterAll(async () => {
  await gateway.close();
  await proxy.close();
  await database.close();
});

async function createCommunity(userIds: string[]): Promise<string> {
  const input = { displayName: 'Private', isPublic: false, userIds };
  return (await mutate('alice', 'createCommunity', input, 'community { communityId }')).community.communityId;
}

async function createPost(communityId: string, text: string): Promise<string> {
  const input = { targetType: 'COMMUNITY', targetId: communityId, data: { text } };
  return (await mutate('alice', 'createPost', input, 'post { postId }')).post.postId;
}

async function newestPost(): Promise<string | null> {
  const { status, body } = await gateway.rest('/realtime/post.created', { as: 'bob' });
  return status === 204 ? null : body.data.posts[0].postId;
}

test('a request for the newest event sees no event of a community that the user left, while changes arrive late', async () => {
  const communityId = await createCommunity(['bob']);
  const before = await createPost(communityId, 'before');
  expect(await newestPost()).toBe(before);
  proxy.set('stall');
  await mutate('alice', 'removeCommunityMembers', { communityId, userIds: ['bob'] });
  expect(await newestPost()).toBeNull();
  await createPost(communityId, 'after');
  expect(await newestPost()).toBeNull();
});

test('a request for the newest event has the rights of the session now, while changes arrive late', async () => {
  const permissions = ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'];
  await mutate('admin', 'createRole', { roleId: 'reader', displayName: 'Reader', rank: 1, permissions });
  await mutate('admin', 'addUserRoles', { userId: 'bob', roleIds: ['reader'] });
  const communityId = await createCommunity([]);
  const stream = new AbortController();
  // Another connection of the session, whose rights this process keeps.
  await fetch(`${gateway.url}/realtime/post.created`, {
    signal: stream.signal,
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await gateway.tokenOf('bob')}` },
  });
  const before = await createPost(communityId, 'before');
  expect(await newestPost()).toBe(before);
  proxy.set('stall');
  await mutate('admin', 'removeUserRoles', { userId: 'bob', roleIds: ['reader'] });
  await createPost(communityId, 'after');
  expect(await newestPost()).toBeNull();
  stream.abort();
});

test('a request that resumes after a cursor has the memberships of its user now, while changes arrive late', async () => {
  const start = await gateway.rest('/realtime/post.created', { as: 'bob' });
  const resume = () =>
    gateway.rest(`/realtime/post.created?wait=0&after=${start.headers.get('event-cursor')}`, { as: 'bob' });
  const communityId = await createCommunity(['bob']);
  const postId = await createPost(communityId, 'before');
  await expect.poll(async () => (await resume()).status).toBe(200);
  proxy.set('stall');
  await mutate('alice', 'removeCommunityMembers', { communityId, userIds: ['bob'] });
  await mutate('alice', 'updatePost', { postId, data: { text: 'after' } });
  expect((await resume()).status).toBe(204);
});

describe('a subscription that resumes on an open socket, while changes arrive late,', () => {
  let socket: LiveClient;
  let after: string;

  beforeEach(async () => {
    socket = await liveClient(gateway, 'bob');
    ({ eventCursor: after } = await ask(gateway, '{ eventCursor }', { as: 'bob' }));
  });
  afterEach(() => socket.close());

  const resume = () =>
    socket.listen('subscription ($after: String) { postCreated(after: $after) { post { postId } } }', { after });

  /** @returns the posts that a new subscription delivers up to one that its user sees */
  async function deliveredUpTo(visibleId: string): Promise<string[]> {
    const { events, stop } = resume();
    const ids = () => events.map((event) => event.post.postId);
    await expect.poll(ids).toContain(visibleId);
    stop();
    return ids();
  }

  /** Delivers a post of the community, so that the process keeps the rights of its user. @returns a later visible one */
  async function deliverFrom(communityId: string): Promise<string> {
    const postId = await createPost(communityId, 'before');
    const input = { targetType: 'USER', targetId: 'carol', data: { text: 'visible' } };
    const { post } = await mutate('carol', 'createPost', input, 'post { postId }');
    expect(await deliveredUpTo(post.postId)).toEqual([postId, post.postId]);
    return post.postId;
  }

  test('has the memberships of its user now', async () => {
    const communityId = await createCommunity(['bob']);
    const visibleId = await deliverFrom(communityId);
    proxy.set('stall');
    await mutate('alice', 'removeCommunityMembers', { communityId, userIds: ['bob'] });
    expect(await deliveredUpTo(visibleId)).toEqual([visibleId]);
  });

  test('has the roles of its user now', async () => {
    const permissions = ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'];
    await mutate('admin', 'createRole', { roleId: 'temporary', displayName: 'Temporary', rank: 1, permissions });
    await mutate('admin', 'addUserRoles', { userId: 'bob', roleIds: ['temporary'] });
    const communityId = await createCommunity([]);
    const visibleId = await deliverFrom(communityId);
    proxy.set('stall');
    await mutate('admin', 'removeUserRoles', { userId: 'bob', roleIds: ['temporary'] });
    expect(await deliveredUpTo(visibleId)).toEqual([visibleId]);
  });

  test('has the blocks of its user now', async () => {
    const communityId = await createCommunity(['bob']);
    const visibleId = await deliverFrom(communityId);
    proxy.set('stall');
    await mutate('bob', 'blockUser', { userId: 'alice' });
    try {
      expect(await deliveredUpTo(visibleId)).toEqual([visibleId]);
    } finally {
      await mutate('bob', 'unblockUser', { userId: 'alice' });
    }
  });
});

test('a subscription on an open socket ends the socket if its session has ended, while changes arrive late', async () => {
  const socket = await liveClient(gateway, 'dave');
  const closed = new Promise<unknown>((done) => socket.client.on('closed', done));
  expect(await ask(gateway, '{ eventCursor }', { as: 'dave' })).toBeTruthy();
  proxy.set('stall');
  await mutate('admin', 'banUser', { userId: 'dave' });
  socket.listen('subscription { postCreated { cursor } }');
  expect(await closed).toMatchObject({ code: 4403 });
});

test('an MQTT subscription has the roles of its user now, while changes arrive late', async () => {
  const permissions = ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'];
  await mutate('admin', 'createRole', { roleId: 'mqtt', displayName: 'MQTT', rank: 1, permissions });
  await mutate('admin', 'addUserRoles', { userId: 'bob', roleIds: ['mqtt'] });
  const communityId = await createCommunity([]);
  const { communities } = gateway.services.store.collections;
  const { _id } = (await communities.findOne({ networkId: gateway.networkId, communityId }))!;
  const client = await connectMqtt(gateway, 'bob');
  proxy.set('stall');
  await mutate('admin', 'removeUserRoles', { userId: 'bob', roleIds: ['mqtt'] });
  expect(await client.subscribe(`social/community/${_id.toHexString()}`)).toEqual([128]);
});
