import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startFaultyGateway } from '../support/faulty-gateway.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient, waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';
import { type RawSocket, rawSocket } from '../support/raw-socket.ts';
import { sseStream } from '../support/sse.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  token = await gateway.tokenOf('bob');
});
afterAll(() => gateway.close());

/** The data and errors of one operation, over a WebSocket and over server-sent events. */
async function answersTo(
  query: string,
  variables: Record<string, unknown> = {},
): Promise<
  Record<'socket' | 'stream', { errors: Array<{ message: string; extensions?: { code: string } }>; data: unknown }>
> {
  const raw = await (await rawSocket(gateway.url)).init(token);
  raw.send({ id: '1', type: 'subscribe', payload: { query, variables } });
  const answer = await raw.message(({ id }) => id === '1');
  raw.close();
  const stream = await sseStream(gateway.url, { query, variables }, { token });
  await waitFor(() => stream.results.length > 0);
  stream.stop();
  const { data = null, errors = [] } = stream.results[0];
  return {
    socket:
      answer.type === 'error'
        ? { errors: answer.payload, data: null }
        : { errors: answer.payload.errors ?? [], data: answer.payload.data ?? null },
    stream: { errors, data },
  };
}

/** Expects both transports to reject the operation with the same messages. @returns the errors */
async function expectRejected(
  query: string,
  variables?: Record<string, unknown>,
): Promise<Array<{ message: string; extensions?: { code: string } }>> {
  const { socket, stream } = await answersTo(query, variables);
  expect(socket.errors.length).toBeGreaterThan(0);
  expect(socket.data).toBeNull();
  expect(stream.errors.map(({ message }) => message)).toEqual(socket.errors.map(({ message }) => message));
  expect(JSON.stringify(socket.errors)).not.toMatch(/stack|node_modules|"http"/);
  return socket.errors;
}

describe('subscriptions have the limits of every operation', () => {
  const event = (inner: string) => `subscription { postUpdated { post { ${inner} } } }`;
  test.each([
    ['depth', event(`${'childPosts { '.repeat(30)} postId ${'}'.repeat(30)}`)],
    [
      'aliases without data',
      `subscription { postUpdated { ${Array.from({ length: 3_000 }, (_, n) => `a${n}: __typename`).join(' ')} } }`,
    ],
    [
      'fragments that fan out 2^30 times',
      `subscription { postUpdated { post { ...F0 } } } ${Array.from({ length: 30 }, (_, n) => `fragment F${n} on Post { ...F${n + 1} ...F${n + 1} }`).join(' ')} fragment F30 on Post { childPosts { childPosts { postId } } }`,
    ],
    ['cyclic fragments', `${event('...A')} fragment A on Post { ...B } fragment B on Post { ...A }`],
    [
      'nested pages',
      event(
        'comments(first: 100) { edges { node { replies(first: 100) { edges { node { replies(first: 100) { edges { node { commentId } } } } } } } }',
      ),
    ],
    ['tokens', event('postId '.repeat(7_000))],
    ['braces', '{a'.repeat(60_000)],
  ])('%s', async (_, query) => {
    const startedAt = performance.now();
    await expectRejected(query);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test.each([
    [
      'an object as topic',
      'subscription ($topic: String) { postUpdated(topic: $topic) { path } }',
      { topic: { $regex: '^a' } },
    ],
    [
      'an object as cursor',
      'subscription ($after: String) { postUpdated(after: $after) { path } }',
      { after: { $gt: '' } },
    ],
    [
      'an object as type',
      'subscription ($types: [EventType!]) { events(types: $types) { path } }',
      { types: [{ $ne: 'x' }] },
    ],
    [
      'names of inherited properties',
      'subscription ($types: [EventType!]) { events(types: $types) { path } }',
      { types: ['constructor', '__proto__'] },
    ],
  ])('%s', async (_, query, variables) => {
    await expectRejected(query, variables);
  });

  test('rejects an array of operations', async () => {
    const raw = await (await rawSocket(gateway.url)).init(token);
    raw.send({ id: '1', type: 'subscribe', payload: [{ query: '{ __typename }' }, { query: '{ __typename }' }] });
    expect((await raw.closed).code).toBe(4400);
  });
});

test('queries and mutations have the same limits, and the same results as over HTTP', async () => {
  const bomb = `{ post(postId: "seedlings") { ${'childPosts { '.repeat(30)} postId ${'}'.repeat(30)} } }`;
  expect((await expectRejected(bomb))[0]).toMatchObject({ extensions: { code: 'TOO_LARGE' } });
  const query = '{ viewer { userId } post(postId: "seedlings") { postId myReactions viewerCanEdit } }';
  const { socket, stream } = await answersTo(query);
  const { data } = await gateway.graphql(query, { as: 'bob' });
  expect({ socket, stream }).toEqual({ socket: { errors: [], data }, stream: { errors: [], data } });
  const flag =
    'mutation ($input: FlagPostInput!) { flagPost(input: $input) { __typename ... on OperationError { code } } }';
  const flagged = await answersTo(flag, { input: { postId: 'none' } });
  expect(flagged.socket.data).toEqual({ flagPost: { __typename: 'OperationError', code: 'NOT_FOUND' } });
  const rejected = await expectRejected(flag, { input: { postId: { $ne: null } } });
  expect(rejected[0]!.message).toContain('String cannot represent');
});

test('an empty operation name is none, and occupies the socket no longer than its operation', async () => {
  const raw = await (await rawSocket(gateway.url)).init(token);
  const query = 'query A { viewer { userId } }';
  const data = { viewer: { userId: 'bob' } };
  // More than may be in progress on one socket.
  for (let n = 0; n < 25; n += 1) {
    raw.send({ id: `${n}`, type: 'subscribe', payload: { query, operationName: '' } });
    expect(await raw.message(({ id }) => id === `${n}`)).toEqual({ id: `${n}`, type: 'next', payload: { data } });
  }
  raw.close();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: 'query B { viewer { userId } }', operationName: '' }),
  });
  expect(await response.json()).toEqual({ data });
});

describe('in production', () => {
  let production: TestGateway;
  beforeAll(async () => {
    production = await startTestGateway({
      NODE_ENV: 'production',
      SECURE_MODE: 'true',
      API_KEY: 'production-key',
      SERVER_KEY: 's'.repeat(32),
      TOKEN_SECRET: 't'.repeat(32),
      SAMPLE_DATA: 'auto',
    });
  });
  afterAll(() => production.close());

  test.each([
    ['{ __schema { types { name } } }', {}],
    ['{ __type(name: "User") { name } }', {}],
    ['subscription { postUpdatedd { path } }', {}],
    ['subscription { postUpdated { pathh post { postIdd } } }', {}],
    ['subscription { postUpdated(topicc: "x") { path } }', {}],
    ['subscription ($types: [EventType!]) { events(types: $types) { path } }', { types: ['POST_UPDATEDD'] }],
  ])('%s reveals nothing of the schema', async (query, variables) => {
    const stranger = await production.tokenOf('stranger');
    const raw = await (await rawSocket(production.url)).init(stranger);
    raw.send({ id: '1', type: 'subscribe', payload: { query, variables } });
    const { type, payload } = await raw.message(({ id }) => id === '1');
    expect(type).toBe('error');
    raw.close();
    const stream = await sseStream(production.url, { query, variables }, { token: stranger });
    await waitFor(() => stream.results.length > 0);
    for (const text of [JSON.stringify(payload), JSON.stringify(stream.results)]) {
      expect(text).not.toMatch(/Did you mean|"types"|"name":/);
    }
    stream.stop();
  });
});

test('random frames close at most their own socket and delay no other client', async () => {
  const listener = await liveClient(gateway, 'carol');
  const { eventCursor } = await ask(gateway, '{ eventCursor }');
  const received = listener.listen('subscription ($after: String) { postUpdated(after: $after) { path } }', {
    after: eventCursor,
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const noise = (): string | Buffer => {
    const kind = random(7);
    if (kind === 0) return Buffer.from(Array.from({ length: random(500) }, () => random(256)));
    if (kind === 1) return '['.repeat(random(50_000));
    if (kind === 2)
      return JSON.stringify({
        type: 'subscribe',
        id: '__proto__',
        payload: { query: '{ __typename }', variables: JSON.parse('{"__proto__":{"isAdmin":true}}') },
      });
    if (kind === 3) return JSON.stringify({ type: 'complete', id: ['x'] });
    if (kind === 4)
      return JSON.stringify({ type: 'subscribe', id: 'constructor', payload: { query: '{'.repeat(random(5_000)) } });
    if (kind === 5) return JSON.stringify({ type: 'ping', payload: 'x'.repeat(random(100_000)) });
    return JSON.stringify({ type: 'connection_init', payload: { Authorization: { $ne: null } } });
  };
  delay.enable();
  for (let round = 0; round < 60; round += 1) {
    const raw: RawSocket = await rawSocket(gateway.url);
    if (round % 2 === 0) await raw.init(token);
    for (let n = 0; n < 5 && raw.socket.readyState === raw.socket.OPEN; n += 1) raw.socket.send(noise());
    // Bytes that are not a WebSocket frame, written past the library.
    if (round % 5 === 0)
      (raw.socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(
        Buffer.from([0xff, 0xff, 0x00, round]),
      );
    await Promise.race([raw.closed, new Promise((later) => setTimeout(later, 30))]);
    raw.close();
  }
  delay.disable();
  await emit(gateway, [postUpdated('after the frames')]);
  await received.until(1);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  // Milliseconds, generous for a busy machine.
  expect(delay.percentile(95) / 1e6).toBeLessThan(1_000);
  await listener.close();
});

test('an event that cannot be rendered is reported as an error over every transport and does not delay later events', async () => {
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path cursor } }';
  const unrenderable = { type: 'post.updated', path: 'default/unrenderable', data: {} } as unknown as NewEvent;
  await emit(gateway, [unrenderable, postUpdated('next')]);

  const listener = await liveClient(gateway, 'carol');
  const received = listener.listen(query, { after });
  expect(await received.until(1)).toEqual([{ path: 'default/next', cursor: expect.any(String) }]);
  const cursor = expect.stringMatching(/^82/);
  expect(received.errors).toEqual([expect.objectContaining({ extensions: { code: 'INTERNAL', cursor } })]);
  const { extensions } = received.errors[0] as { extensions: { cursor: string } };
  expect(after < extensions.cursor && extensions.cursor < received.events[0].cursor).toBe(true);
  await listener.close();

  const stream = await sseStream(gateway.url, { query, variables: { after } }, { token });
  await stream.until(2);
  expect(stream.results).toMatchObject([
    { data: null, errors: [{ extensions: { code: 'INTERNAL', cursor: extensions.cursor } }] },
    { data: { postUpdated: { path: 'default/next' } } },
  ]);
  stream.stop();

  const headers = { authorization: `Bearer ${token}` };
  const url = `${gateway.url}/realtime/post.updated`;
  const rest = await fetch(`${url}?after=${after}`, { headers: { ...headers, accept: 'text/event-stream' } });
  const reader = rest.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('default/next')) text += (await reader.read()).value!;
  expect(text).toContain(`id: ${extensions.cursor}\nevent: error\ndata: {"status":"error","code":500000,`);
  await reader.cancel();

  const failed = await fetch(`${url}?after=${after}&wait=5`, { headers });
  expect([failed.status, failed.headers.get('event-cursor')]).toEqual([500, extensions.cursor]);
  expect(await failed.json()).toMatchObject({ status: 'error', code: 500000 });
  const next = await fetch(`${url}?after=${extensions.cursor}&wait=5`, { headers });
  expect(await next.json()).toMatchObject({ path: 'default/next' });
});

test('an event that cannot be rendered for one subscriber is delivered to the others', async () => {
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path post { postId } } }';
  const carol = await liveClient(gateway, 'carol');
  const bob = await liveClient(gateway, 'bob');
  const clients = [carol, bob];
  const [working, failing] = clients.map((client) => client.listen(query, { after }));
  await emit(gateway, [postUpdated('first')]);
  await Promise.all([working!.until(1), failing!.until(1)]);
  const run = gateway.executor.run;
  const spy = vi.spyOn(gateway.executor, 'run').mockImplementation(async (prepared, options) => {
    if (options.root && options.context.viewer?.userId === 'bob') throw new Error('cannot be rendered');
    return run(prepared, options);
  });
  await emit(gateway, [postUpdated('second')]);
  await waitFor(() => working!.events.length === 2 && failing!.errors.length === 1);
  spy.mockRestore();
  await emit(gateway, [postUpdated('third')]);
  await Promise.all([working!.until(3), failing!.until(2)]);
  expect(working!.errors).toEqual([]);
  expect(failing!.events.map(({ path }) => path)).toEqual(['default/first', 'default/third']);
  for (const client of clients) await client.close();
});

test('a database outage while an event is being read delays the event and loses none', async () => {
  const faulty = await startFaultyGateway();
  const listener = await liveClient(faulty.gateway, 'carol');
  const { eventCursor } = await ask(faulty.gateway, '{ eventCursor }');
  const received = listener.listen(
    'subscription ($after: String) { postUpdated(after: $after) { path post { postId } } }',
    { after: eventCursor },
  );
  await emit(faulty.gateway, [postUpdated('before')]);
  await received.until(1);
  const cut = faulty.proxy.cutNext({ command: (name) => name === 'find', when: 'before', times: 6 });
  await emit(faulty.gateway, [postUpdated('a')]);
  await emit(faulty.gateway, [postUpdated('b')]);
  await received.until(3, 20_000);
  expect(received.events.map(({ path }) => path)).toEqual(['default/before', 'default/a', 'default/b']);
  expect(cut()).toBeGreaterThan(2);
  await listener.close();
  await faulty.close();
});
