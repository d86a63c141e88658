import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ROUTES } from '../../rest-compat/routes.ts';
import { isFullLoad } from '../support/full-load.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Answer, asText, damaged, sendAll, text, value } from '../support/malformed.ts';
import { requestText } from '../support/raw-client.ts';

vi.setConfig({ testTimeout: isFullLoad ? 1_800_000 : 120_000 });

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  token = await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

/** The statuses of another client, which sends requests during each test. */
let others: Promise<number[]>;
let isOver = false;
beforeEach(() => {
  isOver = false;
  others = (async () => {
    const statuses: number[] = [];
    do {
      statuses.push((await fetch(`${gateway.url}/healthz`)).status);
      await new Promise((later) => setTimeout(later, 100));
    } while (!isOver);
    return statuses;
  })();
});
afterEach(async () => {
  isOver = true;
  expect(new Set(await others)).toEqual(new Set([200]));
  const viewer = await gateway.graphql('{ network { displayName } }', { as: null });
  expect(viewer.status).toBe(200);
});

const authorized = () => ({ authorization: `Bearer ${token}` });

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { ...authorized(), ...(init.headers as Record<string, string>) };
  // A valid subscription opens a stream, which waits for its first event.
  const isSubscription = `${path} ${init.body}`.includes('subscription');
  const signal = AbortSignal.timeout(isSubscription ? 1_500 : 30_000);
  try {
    const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init, headers, signal });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (isSubscription && signal.aborted) return { status: null, text: '' };
    throw error;
  }
}

/** Sends bytes on a new connection and reads until the server closes it. */
async function sendBytes(bytes: Buffer, waitMs = 400): Promise<Answer> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.end(bytes);
  // The server waits for the rest of a request that looks incomplete.
  const timer = setTimeout(() => socket.destroy(), waitMs);
  await closed;
  clearTimeout(timer);
  const answer = Buffer.concat(chunks).toString('latin1');
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
  return { status: status === undefined ? null : Number(status), text: answer };
}

const DOCUMENTS = [
  '{ viewer { userId displayName } }',
  'query Q($id: String!) { post(postId: $id) { postId data { text } comments(first: 2) { edges { node { commentId } } } } }',
  'mutation M($input: FlagPostInput!) { flagPost(input: $input) { __typename ... on OperationError { code } } }',
  'subscription S($after: String) { postUpdated(after: $after) { path cursor } }',
  'query { posts(first: 3) { edges { cursor node { ...F } } } } fragment F on Post { postId parentPost { postId } }',
];
const document = fc.oneof(
  damaged(fc.constantFrom(...DOCUMENTS)).map((bytes) => bytes.toString()),
  fc.constantFrom(...DOCUMENTS),
  value.map(asText),
);
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          query: document,
          variables: fc.oneof(fc.dictionary(fc.constantFrom('id', 'input', 'after', '__proto__'), value), value),
          operationName: fc.option(text),
          extensions: fc.option(value),
        },
        { requiredKeys: ['query'] },
      )
      .map((one) => JSON.stringify(one)),
  },
  damaged(fc.constant(JSON.stringify({ query: DOCUMENTS[1], variables: { id: 'seedlings' } }))).map(String),
  value.map(asText),
);
const type = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'application/graphql',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'x',
);

test('bytes that are almost HTTP get no 5xx and no stack trace, and do not affect other clients', async () => {
  const valid = fc.constantFrom(
    requestText('/api/v3/posts/seedlings', { headers: { Connection: 'close', Authorization: `Bearer ${token}` } }),
    requestText('/graphql', {
      method: 'POST',
      headers: { Connection: 'close', 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: DOCUMENTS[0] }),
    }),
    requestText('/files/x', { headers: { Connection: 'close', Range: 'bytes=0-5', 'If-Range': '"x"' } }),
    'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  );
  const statuses = await sendAll(
    damaged(valid),
    (bytes) => sendBytes(bytes),
    (bytes) => bytes.toString('latin1'),
  );
  expect(statuses.get(400)).toBeGreaterThan(0);
});

test('GraphQL bodies over HTTP get no 5xx and no stack trace, and do not affect other clients', async () => {
  const request = fc.record({ body, type, path: fc.constantFrom('/graphql', '/graphql/', '/graphql?query={') });
  const statuses = await sendAll(request, ({ body, type, path }) =>
    call(path, { method: 'POST', body, headers: { 'content-type': type } }),
  );
  expect(statuses.get(200)).toBeGreaterThan(0);
});

test('rejects a GraphQL body that is not an object with a query', async () => {
  for (const body of ['1', '0', 'true', 'false', '"x"', '""', '[]', '[1]', '{}', 'null', '']) {
    const { status } = await call('/graphql', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([body, status]).toEqual([body, 400]);
  }
});

test('GraphQL queries by GET get no 5xx and no stack trace, and do not affect other clients', async () => {
  await sendAll(fc.record({ query: document, variables: text, operationName: fc.option(text) }), (one) => {
    const given = Object.entries(one).filter(([, value]) => value !== null) as Array<[string, string]>;
    return call(`/graphql?${new URLSearchParams(given)}`);
  });
});

test('REST parameters and bodies get no 5xx and no stack trace, and do not affect other clients', async () => {
  const request = fc.constantFrom(...ROUTES).chain((route) => {
    const names = [
      ...Object.keys((route.params as unknown as { shape?: object }).shape ?? {}),
      'options',
      'x',
      '__proto__',
    ];
    const given = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
    return fc.record({
      method: fc.constant(route.method),
      path: fc.constant(route.path),
      segments: fc.array(text, { minLength: 4, maxLength: 4 }),
      query: fc.dictionary(fc.constantFrom(...names, 'options[token]', 'options[limit]', 'options[skip]'), text, {
        maxKeys: 4,
      }),
      body: fc.oneof({ weight: 4, arbitrary: given.map((one) => JSON.stringify(one)) }, value.map(asText)),
    });
  });
  await sendAll(request, ({ method, path, segments, query, body }) => {
    let index = 0;
    const filled = path.replace(/:\w+/g, () => {
      index += 1;
      return encodeURIComponent(segments[index % 4]!.toWellFormed()) || 'x';
    });
    const init = method === 'GET' ? {} : { body, headers: { 'content-type': 'application/json' } };
    return call(`${filled}?${new URLSearchParams(query)}`, { method, ...init });
  });
});

test('multipart uploads get no 5xx and no stack trace, and do not affect other clients', async () => {
  const part = (name: string, rest: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;
  const valid = fc
    .record({
      name: fc.constantFrom('files', 'accessType', 'preferredFilename', '__proto__', ''),
      file: text,
      content: text,
      field: text,
    })
    .map(
      ({ name, file, content, field }) =>
        `${part(name, '', field)}${part('files', `; filename="${file}"\r\nContent-Type: image/png`, content)}--b--\r\n`,
    );
  const request = fc.record({
    path: fc.constantFrom('/api/v4/files', '/api/v4/images', '/api/v4/videos', '/api/v4/audios'),
    body: damaged(valid),
    type: fc.constantFrom(
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=""',
    ),
  });
  await sendAll(
    request,
    ({ path, body, type }) =>
      call(path, { method: 'POST', body: new Uint8Array(body), headers: { 'content-type': type } }),
    ({ path, body }) => `${path} ${body.toString('latin1')}`,
  );
});

test('event streams, polls and file ranges get no 5xx and no stack trace, and do not affect other clients', async () => {
  const position = gateway.services.events.position!;
  const cursor = fc.oneof(damaged(fc.constant(position)).map(String), text, fc.constant(position));
  const names = fc.constantFrom(
    'post.updated',
    'post.created',
    'message.created',
    'user.updated',
    '__proto__',
    'x',
    '',
  );
  const request = fc.record({
    path: fc.oneof(
      names.map((name) => `/realtime/${name}`),
      names.map((name) => `/webhook/v3.${name}`),
      text.map((one) => `/realtime/${encodeURIComponent(one.toWellFormed())}`),
      text.map((one) => `/files/${encodeURIComponent(one.toWellFormed())}`),
    ),
    query: fc.record(
      {
        after: cursor,
        topic: text,
        wait: fc.oneof(
          fc.constantFrom('0', '-1', 'x'),
          text.map((one) => (/^\d+$/.test(one) ? 'x' : one)),
        ),
      },
      { requiredKeys: [] },
    ),
    accept: fc.constantFrom('*/*', 'application/json', 'text/event-stream'),
  });
  await sendAll(request, async ({ path, query, accept }) => {
    // A stream stays open: read only its beginning.
    const stopped = new AbortController();
    const timer = setTimeout(() => stopped.abort(), 150);
    const headers = { ...authorized(), accept, 'x-server-key': gateway.keys.SERVER_KEY };
    const url = `${gateway.url}${path}?${new URLSearchParams(query as Record<string, string>)}`;
    try {
      const response = await fetch(url, { headers, signal: stopped.signal });
      return { status: response.status, text: await response.text().catch(() => '') };
    } catch {
      return { status: null, text: '' };
    } finally {
      clearTimeout(timer);
    }
  });
});

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

test('WebSocket messages get no internal detail and no close code 1011, and do not affect other clients', async () => {
  const subscribe = fc.record({
    id: fc.oneof(fc.constantFrom('1', '2'), text, value),
    type: fc.constantFrom(
      'subscribe',
      'subscribe',
      'subscribe',
      'complete',
      'ping',
      'pong',
      'connection_init',
      'next',
      '__proto__',
    ),
    payload: fc.oneof(
      {
        weight: 5,
        arbitrary: body.map((one) => {
          try {
            return JSON.parse(one);
          } catch {
            return one;
          }
        }),
      },
      value,
    ),
  });
  const message = fc.oneof(
    { weight: 5, arbitrary: subscribe.map((one) => JSON.stringify(one)) },
    damaged(subscribe.map((one) => JSON.stringify(one))).map(String),
    value.map(asText),
  );
  await sendAll(fc.array(message, { minLength: 1, maxLength: 4 }), async (messages) => {
    const socket = await openSocket();
    const answers: string[] = [];
    socket.on('message', (data) => answers.push(String(data)));
    const closed = once(socket, 'close');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { accessToken: token } }));
    for (const one of messages) socket.send(one);
    // Either the ping is answered, or an earlier message closed the socket.
    socket.send('{"type":"ping","payload":{"last":true}}');
    await Promise.race([
      closed,
      vi.waitUntil(() => answers.some((one) => one.includes('"last":true')), { timeout: 30_000, interval: 5 }),
    ]);
    socket.terminate();
    const [code, reason] = await closed;
    expect(code, messages.join('\n')).not.toBe(1011);
    return { status: null, text: `${answers.join('\n')} ${reason}` };
  });
});

test('random WebSocket frames get only a close frame, and do not affect other clients', async () => {
  const upgrade =
    `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
    `Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Key: ${Buffer.alloc(16, 1).toString('base64')}\r\n\r\n`;
  const init = Buffer.from('{"type":"connection_init","payload":{}}');
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | init.length, 0, 0, 0, 0]), init]);
  const noise = fc.oneof(
    damaged(fc.constant(frame)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  const request = fc.tuple(fc.constant(Buffer.from(upgrade)), noise).map((parts) => Buffer.concat(parts));
  await sendAll(
    fc.oneof({ weight: 4, arbitrary: request }, damaged(fc.constant(upgrade))),
    (bytes) => sendBytes(bytes, 150),
    (bytes) => bytes.toString('latin1'),
  );
  await vi.waitUntil(() => gateway.server.websocketServer.clients.size === 0, { timeout: 60_000 });
});
