import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CONNECTION_LIMITS } from '../../src/limits/limits.ts';
import { limitConnections } from '../support/connection-limits.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { isFullLoad } from '../support/full-load.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { openConnections, type RawClient, rawClient, requestText } from '../support/raw-client.ts';

const CLIENTS = isFullLoad ? 150 : 15;
/** Larger than the socket buffers of the kernel. */
const LARGE = 24 * 1_048_576;

limitConnections({ writeMs: 2_000 });

let gateway: TestGateway;
let token: string;
let postId: string;
let fileId: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenOf('alice');
  const mutate = mutations(() => gateway);
  const content = { data: { text: 'x'.repeat(4_000) }, metadata: { pad: 'x'.repeat(50_000) } };
  const created = await mutate(
    'alice',
    'createPost',
    { targetType: 'COMMUNITY', targetId: 'gardeners', ...content },
    'post { postId }',
  );
  postId = created.post.postId;
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(LARGE)]), 'large.bin');
  const headers = { authorization: `Bearer ${token}` };
  const stored = await fetch(`${gateway.url}/api/v4/files`, { method: 'POST', body: form, headers });
  fileId = ((await stored.json()) as Array<{ fileId: string }>)[0]!.fileId;
});
afterAll(() => gateway.close());

const opened: RawClient[] = [];
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await vi.waitUntil(async () => (await openConnections(gateway)) < 5, { timeout: 30_000 });
});
async function clients(count: number, text: string, from?: (index: number) => string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const client = await rawClient(gateway, from?.(index));
    opened.push(client);
    client.write(text);
  }
}

const isServing = async () => expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
/** The connections that the test holds: `fetch` may keep its last one alive. */
const countOpen = async () => (await openConnections(gateway)) - 2;
const waitUntilClosed = () => vi.waitUntil(async () => (await countOpen()) <= 0, { timeout: 30_000, interval: 100 });

const graphql = (field = 'data { text }') => {
  const aliases = Array.from({ length: 30 }, (_, n) => `a${n}: ${field}`).join(' ');
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ query: `{ post(postId: "${postId}") { ${aliases} } }` });
  return requestText('/graphql', { method: 'POST', headers, body });
};

describe('a client that reads nothing of its answer is disconnected', () => {
  test('of REST answers requested one behind the other', async () => {
    await clients(CLIENTS, requestText('/openapi.json').repeat(20));
    await isServing();
    await waitUntilClosed();
    await isServing();
  });

  test('of GraphQL answers requested one behind the other', async () => {
    await clients(5, graphql().repeat(60));
    await waitUntilClosed();
  });

  test('of a file', async () => {
    await clients(5, requestText(`/files/${fileId}`));
    await waitUntilClosed();
  });

  test.each([
    ['/graphql', 'GraphQL'],
    ['/realtime/post.updated', 'REST'],
  ])('of an event stream at %s', async (path) => {
    const query = 'subscription { postUpdated { post { metadata } } }';
    const isGraphql = path === '/graphql';
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(isGraphql && { 'Content-Type': 'application/json' }),
    };
    const body = isGraphql ? JSON.stringify({ query }) : '';
    await clients(2, requestText(path, { method: isGraphql ? 'POST' : 'GET', headers, body }));
    await vi.waitUntil(
      async () => {
        await emit(
          gateway,
          Array.from({ length: 20 }, () => postUpdated('slow', postId)),
        );
        return (await countOpen()) <= 0;
      },
      { timeout: 40_000, interval: 100 },
    );
  });

  test('of queries over a WebSocket', async () => {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await new Promise((ready) => socket.once('open', ready));
    socket.on('error', () => undefined);
    const acknowledged = new Promise((ready) => socket.once('message', ready));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } }));
    await acknowledged;
    socket.pause();
    const aliases = Array.from({ length: 30 }, (_, n) => `a${n}: data { text }`).join(' ');
    const payload = { query: `{ post(postId: "${postId}") { ${aliases} } }` };
    let id = 0;
    await vi.waitUntil(
      () => {
        id += 1;
        socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }));
        return gateway.server.websocketServer.clients.size === 0;
      },
      { timeout: 40_000, interval: 30 },
    );
    socket.terminate();
  });
});

describe('the bytes that wait for slow readers are bounded', () => {
  const before = { ...CONNECTION_LIMITS };
  afterEach(() => Object.assign(CONNECTION_LIMITS, before));

  test('for one address', async () => {
    Object.assign(CONNECTION_LIMITS, { writeMs: 60_000, unsentPerClient: 4 * 1_048_576 });
    await clients(15, requestText('/openapi.json').repeat(20));
    await vi.waitUntil(async () => (await countOpen()) <= 4, { timeout: 30_000, interval: 50 });
    await isServing();
  });

  test('for one session from several addresses', async () => {
    Object.assign(CONNECTION_LIMITS, { writeMs: 60_000, unsentPerSession: 4 * 1_048_576 });
    const other = await rawClient(gateway, '127.0.2.1');
    opened.push(other);
    other.write(requestText(`/files/${fileId}`));
    await clients(15, graphql('metadata').repeat(8), (index) => `127.0.1.${index + 1}`);
    await vi.waitUntil(async () => (await countOpen()) <= 6, { timeout: 30_000, interval: 50 });
    expect(other.socket.closed).toBe(false);
    await isServing();
  });

  test('for all addresses', async () => {
    Object.assign(CONNECTION_LIMITS, { writeMs: 60_000, unsentTotal: 4 * 1_048_576 });
    await clients(15, requestText('/openapi.json').repeat(20), (index) => `127.0.1.${index + 1}`);
    await vi.waitUntil(async () => (await countOpen()) <= 4, { timeout: 30_000, interval: 50 });
    await isServing();
  });
});

describe('a client that reads its answer in small parts', () => {
  const before = { ...CONNECTION_LIMITS };
  afterEach(() => Object.assign(CONNECTION_LIMITS, before));

  test('is disconnected when it reads less than drainBytes in drainMs', async () => {
    Object.assign(CONNECTION_LIMITS, { writeMs: 60_000, drainMs: 3_000, drainBytes: 16 * 1_048_576 });
    const client = await rawClient(gateway);
    opened.push(client);
    client.write(requestText(`/files/${fileId}`));
    let received = 0;
    client.socket.on('data', (chunk) => {
      received += chunk.length;
      client.socket.pause();
    });
    const timer = setInterval(() => client.socket.resume(), 50);
    await vi.waitUntil(async () => (await countOpen()) <= 0, { timeout: 30_000, interval: 50 });
    clearInterval(timer);
    expect(received).toBeLessThan(LARGE);
  });
});

test('logs ended connections as totals, one line per minute', async () => {
  const warn = vi.spyOn(gateway.server.log, 'warn');
  for (let round = 0; round < 2; round += 1) {
    await clients(3, requestText(`/files/${fileId}`));
    await waitUntilClosed();
  }
  const lines = warn.mock.calls.filter(([, message]) => message === 'connections were ended');
  warn.mockRestore();
  expect(lines.length).toBeLessThanOrEqual(1);
});

test('a client that reads a large file slowly but steadily gets all of it', async () => {
  const client = await rawClient(gateway);
  opened.push(client);
  client.write(requestText(`/files/${fileId}`, { headers: { Connection: 'close' } }));
  let received = 0;
  client.socket.on('data', (chunk) => {
    received += chunk.length;
    if (received % 3 !== 0) return;
    client.socket.pause();
    setTimeout(() => client.socket.resume(), 20);
  });
  await client.closed;
  expect(received).toBeGreaterThan(LARGE);
});
