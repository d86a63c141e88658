import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient, waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { ask, mutations } from '../support/mutate.ts';
import { type RawSocket, rawSocket } from '../support/raw-socket.ts';
import { sseStream } from '../support/sse.ts';

limitLive({ heartbeatMs: 1_500 });

const startGateway = async (env: Record<string, string> = {}): Promise<TestGateway> => {
  const gateway = await startTestGateway(env);
  onTestFinished(() => gateway.close());
  return gateway;
};
const UPDATED = 'subscription ($after: String) { postUpdated(after: $after) { path cursor } }';
const subscribe = (raw: RawSocket, query = UPDATED, variables?: object) =>
  raw.send({ id: '1', type: 'subscribe', payload: { query, ...(variables && { variables }) } });
const nexts = ({ messages }: RawSocket) => messages.filter(({ type }) => type === 'next');

describe('heartbeats', () => {
  test('carry the cursor up to which all events were delivered, from which a client resumes', async () => {
    const gateway = await startGateway();
    const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
    subscribe(raw);
    await raw.message(({ type }) => type === 'ping');
    await emit(gateway, [postUpdated('a')]);
    await waitFor(() => nexts(raw).length === 1);
    const { cursor } = nexts(raw)[0].payload.data.postUpdated;
    const ping = await raw.message(({ type, payload }) => type === 'ping' && payload?.cursor >= cursor);
    expect(ping.payload.ids).toEqual(['1']);
    raw.close();
    await emit(gateway, [postUpdated('b')]);
    const again = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
    subscribe(again, UPDATED, { after: ping.payload.cursor });
    await waitFor(() => nexts(again).length === 1);
    expect(nexts(again)[0].payload.data.postUpdated.path).toBe('default/b');
    again.close();
  });

  test('carry no cursor without a subscription, since a client may subscribe from an earlier one', async () => {
    const gateway = await startGateway();
    const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
    expect(await raw.message(({ type }) => type === 'ping')).toEqual({ type: 'ping' });
    raw.close();
  });

  test('do not close a socket that received no ping because it was not authenticated', async () => {
    const gateway = await startGateway();
    const token = await gateway.tokenOf('bob');
    const raw = await rawSocket(gateway.url);
    const other = await (await rawSocket(gateway.url)).init(token);
    await waitFor(() => other.messages.filter(({ type }) => type === 'ping').length > 2);
    other.close();
    await raw.init(token);
    expect(await raw.message(({ type }) => type === 'ping')).toEqual({ type: 'ping' });
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    raw.close();
  });

  test('close a socket that does not answer them, and keep one that does', async () => {
    const gateway = await startGateway();
    const token = await gateway.tokenOf('bob');
    const dead = await (await rawSocket(gateway.url, { answersPings: false })).init(token);
    const alive = await (await rawSocket(gateway.url)).init(token);
    expect((await dead.closed).code).toBe(1006);
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
    alive.close();
  });
});

test('closes the socket of a slow reader, and delivers to others in time', async () => {
  const gateway = await startGateway();
  const mutate = mutations(gateway);
  const posted = await mutate(
    'alice',
    'createPost',
    { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x'.repeat(8_000) } },
    'post { postId }',
  );
  const aliases = Array.from({ length: 50 }, (_, n) => `a${n}: data { text }`).join(' ');
  const slow = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
  subscribe(slow, `subscription { postUpdated { post { ${aliases} } } }`);
  const other = await liveClient(gateway, 'carol');
  const { eventCursor } = await ask(gateway, '{ eventCursor }');
  const subscription = other.listen(UPDATED, { after: eventCursor });
  await emit(gateway, [postUpdated('first', posted.post.postId)]);
  await subscription.until(1);
  await waitFor(() => nexts(slow).length === 1);
  slow.socket.pause();
  for (let n = 0; n < 60; n += 1) await emit(gateway, [postUpdated(`large/${n}`, posted.post.postId)]);
  await subscription.until(61);
  await waitFor(() => gateway.server.websocketServer.clients.size === 1);
  slow.socket.resume();
  expect((await slow.closed).code).toBe(1006);
  await other.close();
});

test('limits the sockets of the process', async () => {
  const gateway = await startGateway({ SOCKET_LIMIT: '2' });
  const held = [await rawSocket(gateway.url), await rawSocket(gateway.url)];
  await expect(rawSocket(gateway.url)).rejects.toThrow('503');
  held[0]!.close();
  await waitFor(() => gateway.server.websocketServer.clients.size === 1);
  held.push(await rawSocket(gateway.url));
  for (const raw of held) raw.close();
});

test('operations over a socket count towards the request limit of its address', async () => {
  const gateway = await startGateway({ RATE_LIMIT: '20' });
  const token = await gateway.tokenOf('bob');
  const raw = await (await rawSocket(gateway.url)).init(token);
  for (let n = 0; n < 25; n += 1)
    raw.send({ id: `q${n}`, type: 'subscribe', payload: { query: '{ viewer { userId } }' } });
  await waitFor(() => raw.messages.filter(({ type }) => type === 'next' || type === 'error').length === 25);
  const rejected = raw.messages.filter(
    ({ type, payload }) => type === 'error' && payload[0].extensions.code === 'RATE_LIMITED',
  );
  expect(rejected.length).toBeGreaterThanOrEqual(5);
  // All transports share the count, and a forged client address does not change it.
  const forged = { 'x-forwarded-for': '203.0.113.7' };
  expect((await fetch(`${gateway.url}/api/v3/posts/seedlings`, { headers: forged })).status).toBe(429);
  await expect(rawSocket(gateway.url, { headers: forged })).rejects.toThrow('429');
  raw.close();
});

describe('when the server shuts down', () => {
  test('it closes every socket and stream, and waits for no client', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.tokenOf('bob');
    const reading = await (await rawSocket(gateway.url)).init(token);
    subscribe(reading);
    const paused = await (await rawSocket(gateway.url)).init(token);
    subscribe(paused);
    const sse = await sseStream(gateway.url, { query: UPDATED }, { token });
    const unread = await new Promise<import('node:http').IncomingMessage>((answered) => {
      const headers = {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
      };
      request(`${gateway.url}/graphql`, { method: 'POST', headers }, answered).end(JSON.stringify({ query: UPDATED }));
    });
    unread.on('error', () => undefined).pause();
    paused.socket.pause();
    const startedAt = performance.now();
    await gateway.close();
    // The paused clients never read to the end.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    paused.socket.resume();
    expect((await reading.closed).code).toBe(1001);
    expect(reading.messages.filter(({ type }) => type === 'error')).toEqual([]);
    await waitFor(() => sse.isOver);
    expect(sse.results).toMatchObject([{ errors: [{ extensions: { code: 'UNAVAILABLE' } }] }]);
    unread.destroy();
  });

  test('closed sockets release their resources', async () => {
    const gateway = await startGateway();
    const token = await gateway.tokenOf('bob');
    for (let round = 0; round < 5; round += 1) {
      const many = await Promise.all(Array.from({ length: 20 }, () => rawSocket(gateway.url)));
      await Promise.all(many.map((raw) => raw.init(token)));
      for (const raw of many) subscribe(raw);
      for (const raw of many) round % 2 === 0 ? raw.close() : raw.socket.close(1000);
      await Promise.all(many.map(({ closed }) => closed));
      await waitFor(() => gateway.server.websocketServer.clients.size === 0);
    }
    const last = await liveClient(gateway, 'bob');
    const { eventCursor } = await ask(gateway, '{ eventCursor }');
    const subscription = last.listen(UPDATED, { after: eventCursor });
    await emit(gateway, [postUpdated('a')]);
    await subscription.until(1);
    await last.close();
  });
});
