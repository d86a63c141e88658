import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { mutations } from '../support/mutate.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { sseStream } from '../support/sse.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
const mutate = mutations(() => gateway);

/** Far shorter than the 30 s of a poll and the lifetime of streams and sockets. An idle machine needs one second. */
const SOON_MS = 20_000;
const SUBSCRIPTION = 'subscription { postUpdated { path } }';

/** Opens a REST request; the returned state holds its status and whether it has ended. */
function openRest(path: string, token: string, accept: string) {
  const outgoing = request(`${gateway.url}${path}`, {
    agent: false,
    headers: { accept, authorization: `Bearer ${token}` },
  });
  outgoing.end();
  const state = { status: 0, isOver: false };
  const read = (async () => {
    const [response] = await once(outgoing, 'response');
    state.status = response.statusCode;
    for await (const _ of response);
  })();
  void read.catch(() => undefined).finally(() => Object.assign(state, { isOver: true }));
  return state;
}

/** Opens everything that a session can keep open; all of it waits for an event. */
async function openEverything(token: string) {
  const idle = await (await rawSocket(gateway.url)).init(token);
  const subscribed = await (await rawSocket(gateway.url)).init(token);
  subscribed.send({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } });
  const silent = await (await rawSocket(gateway.url)).init(token);
  // Stops reading, so it never answers a close frame.
  silent.socket.pause();
  const sse = await sseStream(gateway.url, { query: SUBSCRIPTION }, { token });
  const stream = openRest('/realtime/post.updated', token, 'text/event-stream');
  await waitFor(() => stream.status === 200);
  const poll = openRest(`/realtime/post.updated?after=${gateway.services.events.position}&wait=30`, token, '*/*');
  await waitFor(() => gateway.server.websocketServer.clients.size === 3);
  return { idle, subscribed, silent, sse, stream, poll };
}

const ENDS: Array<[string, number, number, (userId: string, token: string) => Promise<unknown>]> = [
  ['is banned', 4403, 403, (userId) => mutate('admin', 'banUser', { userId }, 'user { userId }')],
  ['is deleted', 4403, 403, (userId) => mutate('admin', 'deleteUser', { userId }, 'user { userId }')],
  [
    'revokes the session',
    4401,
    401,
    (_, token) =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{"query":"mutation { revokeSession(input: {}) { __typename } }"}',
      }),
  ],
];

describe.each(ENDS)('when a user %s', (name, code, status, end) => {
  test('ends the WebSockets, event streams and polls of the session within seconds', async () => {
    const userId = `ends-${name.replaceAll(' ', '-')}`;
    const token = await signIn(gateway, userId);
    const opened = await openEverything(token);
    await end(userId, token);
    const startedAt = performance.now();
    const codes = await Promise.all([opened.idle.closed, opened.subscribed.closed]);
    expect(codes.map((closed) => closed.code)).toEqual([code, code]);
    await waitFor(() => opened.sse.isOver && opened.stream.isOver && opened.poll.isOver, SOON_MS);
    expect(opened.poll.status).toBe(status);
    // Including the socket whose client ignores the close frame.
    await waitFor(() => gateway.server.websocketServer.clients.size === 0, SOON_MS);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    opened.silent.close();
    const again = await rawSocket(gateway.url);
    again.send({ type: 'connection_init', payload: { accessToken: token } });
    expect((await again.closed).code).toBe(code);
  });
});
