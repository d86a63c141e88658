import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type StreamProxy, startStreamProxy } from '../cache/stream-proxy.ts';
import { type Database, openDatabase } from '../support/faulty-gateway.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';

let database: Database;
let proxy: StreamProxy;
let gateway: TestGateway;
const mutate = successfulMutations(() => gateway);

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
