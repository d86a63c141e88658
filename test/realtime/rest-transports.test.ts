import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { limitLive } from '../support/live-limits.ts';
import { ask, mutations } from '../support/mutate.ts';

limitLive({ perUser: 2 });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CREATE = `mutation ($input: CreatePostInput!) { createPost(input: $input) { __typename ... on CreatePostPayload { post { postId } } } }`;
const post = async (text: string, as = 'alice') => {
  const variables = { input: { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } } };
  const answer = await gateway.graphql<{ createPost: { post: { postId: string } } }>(CREATE, { as, variables });
  expect(answer.errors).toBeUndefined();
  return answer.data.createPost.post.postId;
};

test('a long poll returns the newest event, then each next one', async () => {
  const nothing = await gateway.rest('/realtime/post.created');
  expect(nothing.status).toBe(204);
  const first = await post('one');
  const newest = await gateway.rest('/realtime/post.created');
  expect(newest.body).toMatchObject({ eventType: 'post.created', networkId: 'default', version: '1' });
  expect(newest.body.data.posts[0]).toMatchObject({ postId: first });
  const waiting = gateway.rest(`/realtime/post.created?wait=10&after=${newest.headers.get('event-cursor')}`);
  const second = await post('two');
  const next = await waiting;
  expect(next.body.data.posts[0]).toMatchObject({ postId: second });
  const none = await gateway.rest(`/realtime/post.created?wait=0&after=${next.headers.get('event-cursor')}`);
  expect(none.status).toBe(204);
  const again = await gateway.rest(`/realtime/post.created?after=${nothing.headers.get('event-cursor')}`);
  expect(again.body.data.posts[0]).toMatchObject({ postId: first });
});

test('a stream delivers each event with its cursor as the id', async () => {
  const response = await fetch(`${gateway.url}/realtime/post.created`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await gateway.tokenOf('bob')}` },
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value!;
  expect(text).toMatch(/^id: 82[0-9A-F]+\n\n$/);
  const postId = await post('streamed');
  while (!text.includes('data:')) text += (await reader.read()).value!;
  const envelope = JSON.parse(/data: (.*)\n/.exec(text)![1]!);
  expect(envelope.data.posts[0].postId).toBe(postId);
  await reader.cancel();
});

const mutate = mutations(() => gateway);
/** A post in a private community of alice. */
const secretPost = async (): Promise<string> => {
  const { community } = await mutate(
    'alice',
    'createCommunity',
    { displayName: 'Secret', isPublic: false },
    'community { communityId }',
  );
  const target = { targetType: 'COMMUNITY', targetId: community.communityId };
  return (await mutate('alice', 'createPost', { ...target, data: { text: 'x' } }, 'post { postId }')).post.postId;
};
const now = async (): Promise<string> => (await ask(gateway, '{ eventCursor }')).eventCursor;

describe('finds the newest event', () => {
  test('of a topic', async () => {
    await emit(gateway, [postUpdated('this/1'), postUpdated('other/1')]);
    const newest = async (topic: string) =>
      (await gateway.rest(`/realtime/post.updated?topic=${encodeURIComponent(topic)}`)).body?.path;
    expect(await newest('default/this/1')).toBe('default/this/1');
    expect(await newest('default/this/#')).toBe('default/this/1');
    expect(await newest('default/+/1')).toBe('default/other/1');
    const none = await gateway.rest('/realtime/post.updated?topic=default/nowhere/%23');
    expect(none.status).toBe(204);
  });

  test('behind any number of hidden ones', async () => {
    const secret = await secretPost();
    await emit(gateway, [postUpdated('seen')]);
    const hidden = Array.from({ length: 400 }, (_, n) => postUpdated(`hidden/${n}`, secret));
    await emit(gateway, hidden);
    const bob = await gateway.rest('/realtime/post.updated', { as: 'bob' });
    expect(bob.body).toMatchObject({ path: 'default/seen' });
    const next = await gateway.rest(`/realtime/post.updated?after=${bob.headers.get('event-cursor')}`, { as: 'bob' });
    expect(next.status).toBe(204);
    expect((await gateway.rest('/realtime/post.updated')).body).toMatchObject({ path: 'default/hidden/399' });
  });
});

describe('a stream', () => {
  test('resumes after Last-Event-ID, regardless of the cursor in its URL', async () => {
    const before = await now();
    await emit(gateway, [postUpdated('received')]);
    let received = await gateway.rest(`/realtime/post.updated?after=${before}`);
    // The position may precede events of earlier tests.
    while (received.body.path !== 'default/received')
      received = await gateway.rest(`/realtime/post.updated?after=${received.headers.get('event-cursor')}`);
    await emit(gateway, [postUpdated('missed')]);
    const stopped = new AbortController();
    const response = await fetch(`${gateway.url}/realtime/post.updated?after=${before}`, {
      signal: stopped.signal,
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${await gateway.tokenOf('bob')}`,
        'last-event-id': received.headers.get('event-cursor')!,
      },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data:')) text += (await reader.read()).value!;
    expect(JSON.parse(/data: (.*)\n/.exec(text)![1]!).path).toBe('default/missed');
    stopped.abort();
  });

  test.each([
    ['/realtime/post.created', 404],
    ['/webhook/v3.post.didCreate', 404],
    ['/graphql?query=subscription{postCreated{id}}', 405],
  ])('is not opened by HEAD %s', async (path, status) => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${await gateway.tokenOf('carol')}` };
    for (let n = 0; n < 3; n += 1)
      expect((await fetch(`${gateway.url}${path}`, { method: 'HEAD', headers })).status).toBe(status);
    expect((await gateway.rest('/realtime/post.created', { as: 'carol' })).status).not.toBe(429);
  });
});

test('a poll whose client disconnects releases its quota', async () => {
  const headers = { authorization: `Bearer ${await gateway.tokenOf('dave')}` };
  const path = `/realtime/story.created?wait=30&after=${await now()}`;
  const waiting: ClientRequest[] = [];
  // One more than the quota: only that one receives a response.
  await new Promise((rejected) => {
    for (let n = 0; n < 3; n += 1) {
      const one = request(`${gateway.url}${path}`, { headers }, rejected).on('error', () => undefined);
      one.end();
      waiting.push(one);
    }
  });
  const status = async () => (await gateway.rest('/realtime/story.created', { as: 'dave' })).status;
  expect(await status()).toBe(429);
  for (const one of waiting) one.destroy();
  // Less than the polls would wait.
  await expect.poll(status, { timeout: 25_000 }).not.toBe(429);
});

test('a webhook pull with invalid parameters is not counted towards the quota of the server', async () => {
  const headers = { authorization: `Bearer ${gateway.keys.SERVER_KEY}` };
  const pull = async (query: string) =>
    (await gateway.rest(`/webhook/v3.post.didUpdate${query}`, { as: null, headers })).status;
  // One more than the quota.
  for (let n = 0; n < 3; n += 1) expect(await pull('?wait=-1')).toBe(422);
  expect(await pull('')).not.toBe(429);
});
