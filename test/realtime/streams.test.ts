import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
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
  test.each(['POST', 'GET'] as const)('%s: delivers the same results as a WebSocket, from a cursor', async (method) => {
    const after = await now();
    await emit(gateway, [postUpdated('a'), postUpdated('b')]);
    const sse = await stream(UPDATED, { variables: { after }, method });
    expect(sse.headers.get('content-type')).toContain('text/event-stream');
    expect(sse.headers.get('x-accel-buffering')).toBe('no');
    expect(sse.headers.get('event-cursor')).toMatch(/^[0-9A-F]+$/i);
    const socket = await liveClient(gateway, 'bob');
    const subscription = socket.listen(UPDATED, { after });
    await emit(gateway, [postUpdated('c')]);
    expect((await sse.until(3)).map(({ data }) => data.postUpdated)).toEqual(await subscription.until(3));
    expect(sse.results.map(({ data }) => data.postUpdated.path)).toEqual(['default/a', 'default/b', 'default/c']);
    await socket.close();
  });

  test.each([
    ['a request without a token', UPDATED, { token: null }, 'UNAUTHORIZED'],
    ['an invalid token', UPDATED, { token: 'nonsense' }, 'UNAUTHORIZED'],
    ['an invalid cursor', UPDATED, { variables: { after: 'garbage' } }, 'INVALID_PARAMETERS'],
    ['an expired cursor', UPDATED, { variables: { after: '8200000001000000012B0229296E04' } }, 'CURSOR_EXPIRED'],
    [
      'a document above the limits',
      `subscription { postUpdated { post { ${'childPosts { '.repeat(30)} postId ${'}'.repeat(30)} } } }`,
      {},
      'TOO_LARGE',
    ],
  ])('%s receives the error, and the stream ends', async (_, query, options, code) => {
    const sse = await stream(query, options);
    await waitFor(() => sse.isOver);
    if (code === 'UNAUTHORIZED') expect(sse.headers.has('event-cursor')).toBe(false);
    expect(sse.results).toMatchObject([{ errors: [{ extensions: { code } }] }]);
    expect(sse.isComplete).toBe(true);
    expect(JSON.stringify(sse.results)).not.toMatch(/stack|"http"|INTERNAL/);
  });

  test('an invalid document receives its validation errors', async () => {
    const sse = await stream('subscription { nothing { path } }');
    await waitFor(() => sse.isOver);
    expect(JSON.stringify(sse.results)).toContain('Cannot query field');
  });

  test('queries and mutations return the same result as over HTTP', async () => {
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

  test('rejects a subscription without the Accept header of a stream', async () => {
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
  ])('%s ends the stream', async (name, code, act) => {
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

  test('limits the streams of a user, and counts disconnected ones no longer', async () => {
    const held = [];
    for (let n = 0; n < 6; n += 1) held.push(await stream(UPDATED, { as: 'carol' }));
    const seventh = await stream(UPDATED, { as: 'carol' });
    await waitFor(() => seventh.isOver);
    expect(seventh.results).toMatchObject([{ errors: [{ extensions: { code: 'RATE_LIMITED' } }] }]);
    for (const one of held) one.stop();
    await vi.waitFor(async () => {
      const again = await stream(UPDATED, { as: 'carol' });
      await emit(gateway, [postUpdated('again')]);
      expect((await again.until(1))[0].errors).toBeUndefined();
    }, 30_000);
  });

  test('ends the stream of a slow reader with an error, and continues others', async () => {
    // The server closes the connection 2 s after it ends the stream. This client reads the end later: when the other
    // stream has received all events, which takes longer on a busy machine. So that timeout is prolonged.
    const { setTimeout } = globalThis;
    const prolonged = ((run: () => void, ms?: number, ...args: []) =>
      setTimeout(run, ms === 2_000 ? 120_000 : ms, ...args)) as typeof setTimeout;
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(prolonged);
    onTestFinished(() => void timers.mockRestore());
    const postId = await largePost();
    const slow = await unread(LARGE);
    const other = await stream('subscription { postUpdated { path } }');
    for (let n = 0; n < 60; n += 1) await emit(gateway, [postUpdated(`large/${n}`, postId)]);
    await other.until(60, 60_000);
    const ended = new Promise((done) => slow.response.once('close', done));
    let read = '';
    slow.response.on('data', (bytes) => {
      read = (read + String(bytes)).slice(-500);
    });
    slow.response.resume();
    await ended;
    expect(read).toContain('The client reads more slowly than events arrive');
  });

  test('closes the stream of a client that never reads, and releases its quota', async () => {
    const slow = await unread(LARGE, 'alice');
    for (let n = 0; n < 5; n += 1) await stream(UPDATED, { as: 'alice' });
    const isRejected = async () => {
      const one = await stream('subscription { postUpdated { path } }', { as: 'alice' });
      await emit(gateway, [postUpdated('to every stream')]);
      const [first] = await one.until(1);
      one.stop();
      return first.errors !== undefined;
    };
    expect(await isRejected()).toBe(true);
    const postId = await largePost();
    for (let n = 0; n < 60; n += 1) await emit(gateway, [postUpdated(`unread/${n}`, postId)]);
    await expect.poll(isRejected, { timeout: 30_000 }).toBe(false);
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

  /** A stream that the client does not read. */
  async function unread(query: string, as = 'bob') {
    const url = new URL(`${gateway.url}/graphql`);
    const token = await gateway.tokenOf(as);
    const sent: ClientRequest = request(url, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    sent.end(JSON.stringify({ query }));
    const response = await new Promise<import('node:http').IncomingMessage>((answered) =>
      sent.once('response', answered),
    );
    response.pause();
    return { response };
  }
});

test('releases the quota of a client that disconnects before its stream opens', async () => {
  const token = await gateway.tokenOf('carol');
  let arrived = 0;
  gateway.server.server.on('request', () => {
    arrived += 1;
  });
  for (let time = 0; time < 2; time += 1) {
    arrived = 0;
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
    await waitFor(() => arrived === requests.length);
    for (const one of requests) one.destroy();
    await waiting;
  }
  await vi.waitFor(async () => {
    const held = await Promise.all(Array.from({ length: 6 }, () => stream(UPDATED, { token })));
    await emit(gateway, [postUpdated('after the disconnects')]);
    const first = await Promise.all(held.map(async (one) => (await one.until(1))[0]));
    for (const one of held) one.stop();
    for (const { errors } of first) expect(errors).toBeUndefined();
  }, 30_000);
});
