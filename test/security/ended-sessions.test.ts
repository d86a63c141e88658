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

/** Far below the 30 s of a poll, the life of a stream and of a socket; a second on an idle machine. */
const SOON_MS = 8_000;
const SUBSCRIPTION = 'subscription { postUpdated { path } }';

/** The status of a REST request, and whether it has ended. */
function openRest(path: string, token: string, accept: string) {
  const asked = request(`${gateway.url}${path}`, {
    agent: false,
    headers: { accept, authorization: `Bearer ${token}` },
  });
  asked.end();
  const state = { status: 0, isOver: false };
  const read = (async () => {
    const [response] = await once(asked, 'response');
    state.status = response.statusCode;
    for await (const _ of response);
  })();
  void read.catch(() => undefined).finally(() => Object.assign(state, { isOver: true }));
  return state;
}

/** Everything that a session can hold open, all of it waiting for an event. */
async function holdEverything(token: string) {
  const idle = await (await rawSocket(gateway.url)).init(token);
  const subscribed = await (await rawSocket(gateway.url)).init(token);
  subscribed.send({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } });
  const silent = await (await rawSocket(gateway.url)).init(token);
  // Reads nothing from now on, and so answers no close frame.
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
  test('websockets, event streams and polls of the session end within moments', async () => {
    const userId = `ends-${name.replaceAll(' ', '-')}`;
    const token = await signIn(gateway, userId);
    const held = await holdEverything(token);
    await end(userId, token);
    const begun = performance.now();
    const codes = await Promise.all([held.idle.closed, held.subscribed.closed]);
    expect(codes.map((closed) => closed.code)).toEqual([code, code]);
    await waitFor(() => held.sse.isOver && held.stream.isOver && held.poll.isOver, SOON_MS);
    expect(held.poll.status).toBe(status);
    // Also the socket whose client takes no notice of the close frame.
    await waitFor(() => gateway.server.websocketServer.clients.size === 0, SOON_MS);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    held.silent.close();
    const again = await rawSocket(gateway.url);
    again.send({ type: 'connection_init', payload: { accessToken: token } });
    expect((await again.closed).code).toBe(code);
  });
});
