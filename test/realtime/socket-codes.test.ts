import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { mutations } from '../support/mutate.ts';
import { type RawOptions, type RawSocket, rawSocket } from '../support/raw-socket.ts';

limitLive({ initMs: 2_000, perUser: 6, subscriptions: 4, subscriptionsPerUser: 7, operations: 3 });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const opened: RawSocket[] = [];
const open = async (options?: RawOptions) => {
  const raw = await rawSocket(gateway.url, options);
  opened.push(raw);
  return raw;
};
const connect = async (as = 'bob') => {
  // Before the socket is opened, because its time to authenticate is short.
  const token = await gateway.tokenOf(as);
  return (await open()).init(token);
};
afterEach(async () => {
  for (const raw of opened.splice(0)) {
    raw.close();
    await raw.closed;
  }
});
const mutate = mutations(() => gateway);

/** Lets operations begin, and complete only after `release`. */
function holdOperations() {
  const { run } = gateway.executor;
  let running = 0;
  let maximum = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const spy = vi.spyOn(gateway.executor, 'run').mockImplementation(async (...given) => {
    running += 1;
    maximum = Math.max(maximum, running);
    await released;
    const result = await run(...given);
    running -= 1;
    return result;
  });
  onTestFinished(() => spy.mockRestore());
  return { running: () => running, maximum: () => maximum, release };
}

const subscribe = (id: string, query = 'subscription { postCreated { id } }', variables?: object) => ({
  id,
  type: 'subscribe',
  payload: { query, ...(variables && { variables }) },
});
const post = (as = 'alice') =>
  mutate(as, 'createPost', { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x' } }, 'post { postId }');

describe('closes a socket that violates the protocol with the code for', () => {
  test('no authentication in time', async () => {
    expect((await (await open()).closed).code).toBe(4408);
  });

  test('a second connection_init', async () => {
    const raw = await connect();
    raw.send({ type: 'connection_init', payload: {} });
    expect((await raw.closed).code).toBe(4429);
  });

  test.each([
    ['no token', undefined],
    ['a wrong token', { Authorization: 'Bearer nonsense' }],
    ['an object as token', { Authorization: { $ne: null }, accessToken: { $gt: '' } }],
    ['a truncated token', { accessToken: 'eyJhbGciOiJIUzI1NiJ9.e30.' }],
  ])('%s', async (_, payload) => {
    const raw = await open();
    raw.send({ type: 'connection_init', payload });
    expect((await raw.closed).code).toBe(4401);
    expect(raw.messages).toEqual([]);
  });

  test('a subscription before the acknowledgement', async () => {
    const raw = await open();
    raw.send(subscribe('1'));
    expect((await raw.closed).code).toBe(4401);
  });

  test('an id in use', async () => {
    const raw = await connect();
    raw.send(subscribe('1'));
    raw.send(subscribe('1'));
    expect((await raw.closed).code).toBe(4409);
  });

  test.each([
    ['invalid JSON', '{"type":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['an unknown type', '{"type":"start"}'],
    ['an id that is not a string', '{"type":"subscribe","id":1,"payload":{"query":"{ __typename }"}}'],
    ['a query that is not a string', '{"type":"subscribe","id":"1","payload":{"query":{"$ne":null}}}'],
    [
      'variables that are not an object',
      '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","variables":[]}}',
    ],
    ['deeply nested JSON', `{"type":"ping","payload":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
  ])('%s', async (_, text) => {
    const raw = await connect();
    raw.send(text);
    expect((await raw.closed).code).toBe(4400);
  });

  test('a message above the size limit', async () => {
    const raw = await connect();
    raw.send({ type: 'ping', payload: { text: 'x'.repeat(300_000) } });
    expect((await raw.closed).code).toBe(1009);
  });

  test('an id above the size limit', async () => {
    const raw = await connect();
    raw.send(subscribe('x'.repeat(256), '{ __typename }'));
    await raw.message(({ type }) => type === 'complete');
    raw.send(subscribe('x'.repeat(257), '{ __typename }'));
    expect(await raw.closed).toEqual({ code: 4400, reason: 'The id of an operation has at most 256 characters.' });
  });

  test('another subprotocol', async () => {
    const socket = open({ protocol: 'graphql-ws' });
    await expect(socket.then((raw) => raw.closed)).rejects.toThrow(/subprotocol/);
  });
});

describe('limits of connections and operations', () => {
  test('accepts a token in the header of the upgrade request', async () => {
    const raw = await open({ headers: { authorization: `Bearer ${await gateway.tokenOf('bob')}` } });
    raw.send({ type: 'connection_init' });
    await raw.message(({ type }) => type === 'connection_ack');
  });

  test('rejects connections from pages of other origins', async () => {
    await expect(open({ headers: { origin: 'https://evil.test' } })).rejects.toThrow('403');
    await expect(open({ headers: { origin: 'null' } })).rejects.toThrow('403');
    await open({ headers: { origin: gateway.url } });
  });

  test('limits the sockets of a user, and counts closed ones no longer', async () => {
    const held = [];
    for (let n = 0; n < 6; n += 1) held.push(await connect('carol'));
    const seventh = await open();
    seventh.send({ type: 'connection_init', payload: { accessToken: await gateway.tokenOf('carol') } });
    expect((await seventh.closed).code).toBe(4429);
    await connect('bob');
    held[0]!.close();
    await held[0]!.closed;
    await waitFor(() => gateway.server.websocketServer.clients.size === 6);
    await connect('carol');
  });

  test('limits the subscriptions of a socket, even if all arrive together', async () => {
    const raw = await connect();
    for (let n = 0; n < 6; n += 1) raw.send(subscribe(`s${n}`));
    const rejected = () => raw.messages.filter(({ type }) => type === 'error');
    await waitFor(() => rejected().length === 2);
    expect(rejected()[0]).toMatchObject({ id: 's4', payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
    raw.send({ id: 's0', type: 'complete' });
    raw.send(subscribe('again'));
    await post();
    await raw.message(({ type, id }) => type === 'next' && id === 'again');
    expect(rejected()).toHaveLength(2);
  });

  test('limits the subscriptions of a user on all sockets, and counts closed ones no longer', async () => {
    const raws = [await connect('kim'), await connect('kim')];
    const rejected = () => raws.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
    for (const raw of raws) for (let n = 0; n < 4; n += 1) raw.send(subscribe(`s${n}`));
    await waitFor(() => rejected().length === 1);
    expect(rejected()[0]).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
    const others = await connect('bob');
    others.send(subscribe('s'));
    raws[0]!.close();
    await raws[0]!.closed;
    const third = await connect('kim');
    for (let n = 0; n < 3; n += 1) third.send(subscribe(`s${n}`));
    await post();
    for (const id of ['s0', 's1', 's2']) await third.message((message) => message.type === 'next' && message.id === id);
    await others.message(({ type, id }) => type === 'next' && id === 's');
    expect(rejected()).toHaveLength(1);
  });

  test.each([
    ['INVALID_PARAMETERS', '', { types: Array.from({ length: 1_000 }, () => 'POST_CREATED') }],
    ['TOO_LARGE', ` # ${'x'.repeat(40_000)}`, {}],
  ])('rejects subscriptions that would fill the memory with %s', async (code, comment, variables) => {
    const raw = await connect();
    const query = `subscription ($types: [EventType!]) { events(types: $types) { id } }${comment}`;
    raw.send(subscribe('1', query, variables));
    const { type, payload } = await raw.message(({ id }) => id === '1');
    expect([type, payload[0].extensions.code]).toEqual(['error', code]);
  });

  test('limits the concurrent queries of a socket, even if all arrive together', async () => {
    const operations = holdOperations();
    const raw = await connect();
    for (let n = 0; n < 50; n += 1) raw.send(subscribe(`q${n}`, '{ viewer { userId } }'));
    const count = (wanted: string) => raw.messages.filter(({ type }) => type === wanted).length;
    await waitFor(() => count('error') === 47);
    operations.release();
    await waitFor(() => count('next') === 3);
    raw.send(subscribe('later', '{ viewer { userId } }'));
    expect(await raw.message(({ id }) => id === 'later')).toMatchObject({
      payload: { data: { viewer: { userId: 'bob' } } },
    });
  });
});

test('an operation that the client completes early counts until it has been executed', async () => {
  await gateway.tokenOf('bob');
  const raw = await connect();
  const operations = holdOperations();
  for (let n = 0; n < 20; n += 1) {
    raw.send(subscribe(`q${n}`, '{ viewer { userId } }'));
    await new Promise((later) => setTimeout(later, 5));
    raw.send({ id: `q${n}`, type: 'complete' });
  }
  await waitFor(() => operations.running() === 3);
  // All messages have been handled when this one is answered.
  raw.send({ type: 'ping', payload: { isLast: true } });
  await raw.message(({ type, payload }) => type === 'pong' && payload?.isLast);
  operations.release();
  await waitFor(() => operations.running() === 0);
  expect(operations.maximum()).toBe(3);
  raw.send(subscribe('later', '{ viewer { userId } }'));
  expect(await raw.message(({ id }) => id === 'later')).toMatchObject({ type: 'next' });
});

describe('closes a socket when its session ends, and delivers nothing afterwards', () => {
  /** Subscribes with a separate session, so that others of the user stay active. */
  const subscribeAs = async (userId: string) => {
    const token = await signIn(gateway, userId);
    const raw = await (await open()).init(token);
    raw.send(subscribe('1'));
    await post();
    await raw.message(({ type }) => type === 'next');
    return { raw, token };
  };

  /** The code with which a new socket with the token is closed. */
  const codeOf = async (accessToken: string) => {
    const raw = await open();
    raw.send({ type: 'connection_init', payload: { accessToken } });
    return (await raw.closed).code;
  };

  test('at logout', async () => {
    const { raw, token } = await subscribeAs('bob');
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: 'mutation { revokeSession(input: {}) { __typename } }' }),
    });
    expect(await answer.json()).toMatchObject({ data: { revokeSession: { __typename: 'RevokeSessionPayload' } } });
    expect((await raw.closed).code).toBe(4401);
    expect(await codeOf(token)).toBe(4401);
  });

  test('at logout, even if the client ignores the close, and continues others', async () => {
    const { raw, token } = await subscribeAs('bob');
    const other = await connect('carol');
    other.send(subscribe('1'));
    raw.socket.pause();
    const { store } = gateway.services;
    const [session] = await store.collections.sessions
      .find({ networkId: 'default', userId: 'bob' })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    await store.collections.sessions.updateOne(
      { networkId: 'default', _id: session!._id },
      { $set: { revokedAt: new Date() } },
    );
    const before = raw.messages.length;
    await post();
    await post();
    await waitFor(() => other.messages.filter(({ type }) => type === 'next').length === 2);
    raw.socket.resume();
    expect((await raw.closed).code).toBe(4401);
    expect(raw.messages.slice(before)).toEqual([]);
    expect(token).not.toBe('');
  });

  test('at expiry', async () => {
    const token = await signIn(gateway, 'bob');
    const { sessions } = gateway.services.store.collections;
    const [session] = await sessions.find({ networkId: 'default', userId: 'bob' }).sort({ _id: -1 }).limit(1).toArray();
    await sessions.updateOne(
      { networkId: 'default', _id: session!._id },
      { $set: { expiresAt: new Date(Date.now() + 2_500) } },
    );
    const raw = await (await open()).init(token);
    raw.send(subscribe('1'));
    expect(await raw.closed).toEqual({ code: 4401, reason: 'The token has expired.' });
  });

  test('at a global ban', async () => {
    const { raw, token } = await subscribeAs('mia');
    await mutate('admin', 'banUser', { userId: 'mia' }, 'user { userId }');
    expect((await raw.closed).code).toBe(4403);
    expect(await codeOf(token)).toBe(4403);
    expect(await codeOf(`${token.slice(0, -8)}AAAAAAAA`)).toBe(4401);
    const again = await open();
    again.send({ type: 'connection_init', payload: { accessToken: await signIn(gateway, 'bob') } });
    await again.message(({ type }) => type === 'connection_ack');
  });

  test('at the deletion of the user', async () => {
    const { raw, token } = await subscribeAs('leo');
    await mutate('admin', 'deleteUser', { userId: 'leo' }, 'user { userId }');
    expect((await raw.closed).code).toBe(4403);
    expect(await codeOf(token)).toBe(4403);
  });
});
