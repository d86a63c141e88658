import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { backlog } from '../support/backlog.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient, waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { ask, mutations } from '../support/mutate.ts';
import { type SseStream, sseStream } from '../support/sse.ts';

limitLive({ perUser: 6 });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const opened: SseStream[] = [];
const stream = async (
  query: string,
  {
    as = 'bob',
    token,
    variables,
    method,
  }: { as?: string; token?: string | null; variables?: Record<string, unknown>; method?: 'GET' | 'POST' } = {},
) => {
  const one = await sseStream(
    gateway.url,
    { query, ...(variables && { variables }) },
    { token: token === undefined ? await gateway.tokenOf(as) : token, ...(method && { method }) },
  );
  opened.push(one);
  return one;
};
afterEach(async () => {
  for (const one of opened.splice(0)) one.stop();
});
const mutate = mutations(() => gateway);
const now = async (): Promise<string> => (await ask(gateway, '{ eventCursor }')).eventCursor;
const UPDATED =
  'subscription ($after: String) { postUpdated(after: $after) { id type path cursor post { postId data { text } } } }';

describe('subscriptions over server-sent events', () => {
  test.each(['POST', 'GET'] as const)('%s: the same results as over a websocket, from a cursor on', async (method) => {
    const after = await now();
    await emit(gateway, [postUpdated('a'), postUpdated('b')]);
    const sse = await stream(UPDATED, { variables: { after }, method });
    expect(sse.headers.get('content-type')).toContain('text/event-stream');
    expect(sse.headers.get('x-accel-buffering')).toBe('no');
    const socket = await liveClient(gateway, 'bob');
    const heard = socket.listen(UPDATED, { after });
    await emit(gateway, [postUpdated('c')]);
    expect((await sse.until(3)).map(({ data }) => data.postUpdated)).toEqual(await heard.until(3));
    expect(sse.results.map(({ data }) => data.postUpdated.path)).toEqual(['default/a', 'default/b', 'default/c']);
    await socket.close();
  });

  test.each([
    ['nobody', UPDATED, { token: null }, 'UNAUTHORIZED'],
    ['a token that is none', UPDATED, { token: 'nonsense' }, 'UNAUTHORIZED'],
    ['a cursor that is none', UPDATED, { variables: { after: 'garbage' } }, 'INVALID_PARAMETERS'],
    ['a cursor that is too old', UPDATED, { variables: { after: '8200000001000000012B0229296E04' } }, 'CURSOR_EXPIRED'],
    [
      'more than one operation may ask',
      `subscription { postUpdated { post { ${'childPosts { '.repeat(30)} postId ${'}'.repeat(30)} } } }`,
      {},
      'TOO_LARGE',
    ],
  ])('%s is told the error, and the stream ends', async (_, query, options, code) => {
    const sse = await stream(query, options);
    await waitFor(() => sse.isOver);
    expect(sse.results).toMatchObject([{ errors: [{ extensions: { code } }] }]);
    expect(sse.isComplete).toBe(true);
    expect(JSON.stringify(sse.results)).not.toMatch(/stack|"http"|INTERNAL/);
  });

  test('a document that is not valid', async () => {
    const sse = await stream('subscription { nothing { path } }');
    await waitFor(() => sse.isOver);
    expect(JSON.stringify(sse.results)).toContain('Cannot query field');
  });

  test('queries and mutations are answered as elsewhere', async () => {
    const query = 'query { viewer { userId } nothing: post(postId: "none") { postId } }';
    const sse = await stream(query);
    await waitFor(() => sse.isOver);
    const { data } = await gateway.graphql(query, { as: 'bob' });
    expect(sse.results).toEqual([{ data }]);
    const change = await stream(
      'mutation { flagPost(input: {postId: "none"}) { __typename ... on OperationError { code } } }',
    );
    await waitFor(() => change.isOver);
    expect(change.results).toEqual([{ data: { flagPost: { __typename: 'OperationError', code: 'NOT_FOUND' } } }]);
  });

  test('without the header that asks for a stream, a subscription is refused', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${await gateway.tokenOf('bob')}`,
      },
      body: JSON.stringify({ query: UPDATED }),
    });
    expect(response.status).toBe(406);
    await response.body?.cancel();
  });

  test.each([
    [
      'logout',
      'UNAUTHORIZED',
      async (userId: string) => {
        await gateway.services.store.collections.sessions.updateMany(
          { networkId: 'default', userId },
          { $set: { revokedAt: new Date() } },
        );
      },
    ],
    [
      'a global ban',
      'GLOBALLY_BANNED',
      async (userId: string) => {
        await mutate('admin', 'banUser', { userId }, 'user { userId }');
      },
    ],
    [
      'the deletion of the user',
      'GLOBALLY_BANNED',
      async (userId: string) => {
        await mutate('admin', 'deleteUser', { userId }, 'user { userId }');
      },
    ],
  ])('%s ends them', async (name, code, act) => {
    const userId = { logout: 'heidi', 'a global ban': 'mia', 'the deletion of the user': 'leo' }[name]!;
    const sse = await stream('subscription { postUpdated { path } }', { token: await signIn(gateway, userId) });
    await emit(gateway, [postUpdated('before')]);
    await sse.until(1);
    await act(userId);
    await emit(gateway, [postUpdated('after')]);
    await waitFor(() => sse.isOver);
    expect(sse.results.slice(1)).toMatchObject([{ errors: [{ extensions: { code } }] }]);
    expect(sse.isComplete).toBe(true);
  });

  test('a user holds no more than their share, and gets it back when the client goes', async () => {
    const held = [];
    for (let n = 0; n < 6; n += 1) held.push(await stream(UPDATED, { as: 'carol' }));
    const seventh = await stream(UPDATED, { as: 'carol' });
    await waitFor(() => seventh.isOver);
    expect(seventh.results).toMatchObject([{ errors: [{ extensions: { code: 'RATE_LIMITED' } }] }]);
    for (const one of held) one.stop();
    await vi.waitFor(async () => {
      const again = await stream(UPDATED, { as: 'carol' });
      await new Promise((later) => setTimeout(later, 50));
      expect(again.isOver).toBe(false);
    }, 5_000);
  });

  test('who reads too slowly is cut, and others go on', async () => {
    const postId = await largePost();
    const slow = await unread(LARGE);
    const other = await stream('subscription { postUpdated { path } }');
    for (let n = 0; n < 60; n += 1) await emit(gateway, [postUpdated(`large/${n}`, postId)]);
    await other.until(60);
    const ended = new Promise((done) => slow.response.once('close', done));
    let read = '';
    slow.response.on('data', (bytes) => {
      read = (read + String(bytes)).slice(-500);
    });
    slow.response.resume();
    await ended;
    expect(read).toContain('The client reads more slowly than events arrive');
  });

  test('who reads nothing at all is cut too, and has their seat back', async () => {
    const slow = await unread(LARGE, 'alice');
    for (let n = 0; n < 5; n += 1) await stream(UPDATED, { as: 'alice' });
    const isRefused = async () => {
      const one = await stream('subscription { postDeleted { path } }', { as: 'alice' });
      await new Promise((later) => setTimeout(later, 100));
      one.stop();
      return one.isOver;
    };
    expect(await isRefused()).toBe(true);
    const postId = await largePost();
    for (let n = 0; n < 60; n += 1) await emit(gateway, [postUpdated(`unread/${n}`, postId)]);
    await expect.poll(isRefused, { timeout: 15_000 }).toBe(false);
    slow.response.on('error', () => undefined).destroy();
  });

  const LARGE = `subscription { postUpdated { path post { ${Array.from({ length: 40 }, (_, n) => `a${n}: data { text }`).join(' ')} } } }`;
  const largePost = async (): Promise<string> =>
    (
      await mutate(
        'alice',
        'createPost',
        { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x'.repeat(10_000) } },
        'post { postId }',
      )
    ).post.postId;

  /** A stream that nobody reads. */
  async function unread(query: string, as = 'bob') {
    const url = new URL(`${gateway.url}/graphql`);
    const token = await gateway.tokenOf(as);
    const asked: ClientRequest = request(url, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    asked.end(JSON.stringify({ query }));
    const response = await new Promise<import('node:http').IncomingMessage>((answered) =>
      asked.once('response', answered),
    );
    response.pause();
    return { response };
  }
});

test('a stream whose client leaves before it opens gives its place back', async () => {
  const token = await gateway.tokenOf('carol');
  for (let time = 0; time < 2; time += 1) {
    const waiting = backlog(40);
    const requests = Array.from({ length: 6 }, (_, index) => {
      const body = JSON.stringify({ query: `subscription Left${time}x${index} { postUpdated { path cursor } }` });
      const headers = {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
      };
      const one = request(`${gateway.url}/graphql`, { method: 'POST', headers, agent: false });
      one.on('error', () => undefined);
      one.end(body);
      return one;
    });
    await new Promise((later) => setTimeout(later, 200));
    for (const one of requests) one.destroy();
    await waiting;
    await new Promise((later) => setTimeout(later, 200));
  }
  const held = await Promise.all(Array.from({ length: 6 }, () => stream(UPDATED, { token })));
  await emit(gateway, [postUpdated('after those that left')]);
  for (const one of held) expect((await one.until(1))[0].errors).toBeUndefined();
});
