import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CONNECTION_LIMITS, HTTP_LIMITS } from '../../src/limits/limits.ts';
import { limitConnections } from '../support/connection-limits.ts';
import { isFullLoad } from '../support/full-load.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { limitLive } from '../support/live-limits.ts';
import { openConnections, type RawClient, rawClient, requestText } from '../support/raw-client.ts';

const CLIENTS = isFullLoad ? 1_000 : 60;

limitConnections({ headersMs: 2_000, bodyMs: 2_000, keepAliveMs: 1_000 });
limitLive({ initMs: 2_000, heartbeatMs: 2_000 });

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

const opened: RawClient[] = [];
const timers: NodeJS.Timeout[] = [];
/** Concurrent tests close their clients together. */
function closeClients(): void {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const { socket } of opened.splice(0)) socket.destroy();
}

async function client(begin: string | Uint8Array): Promise<RawClient> {
  const connection = await rawClient(gateway);
  opened.push(connection);
  connection.write(begin);
  return connection;
}

/** Writes these bytes one at a time, repeatedly, until the connection ends. */
function trickle({ write }: RawClient, text: string, everyMs = 300): void {
  let index = 0;
  timers.push(
    setInterval(() => {
      write(text[index % text.length]!);
      index += 1;
    }, everyMs),
  );
}

const waitUntilClosed = (held: readonly RawClient[]) =>
  vi.waitUntil(() => held.every(({ socket }) => socket.closed), { timeout: 30_000, interval: 50 });
const auth = () => ({ Authorization: `Bearer ${token}` });

describe.concurrent('incomplete requests', () => {
  afterAll(closeClients);

  test('ends connections whose headers arrive a byte at a time, and serves others meanwhile', async () => {
    const held: RawClient[] = [];
    const answers: Array<{ text: string }> = [];
    for (let count = 0; count < CLIENTS; count += 1) {
      const connection = await client('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      // Read from the beginning: the first connections may be ended before the last one is open.
      answers.push(connection.read());
      trickle(connection, 'a');
      held.push(connection);
    }
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    await waitUntilClosed(held);
    expect(answers[0]!.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(answers[0]!.text).toContain('"status":"error"');
    expect(answers[0]!.text).toMatch(/headers may take \d/);
  });

  test('ends connections that send nothing', async () => {
    const held = [await client(''), await client('')];
    for (const { socket } of held) socket.resume();
    await waitUntilClosed(held);
  });

  test('ends a connection that sends empty lines instead of a request', async () => {
    const connection = await client(requestText('/healthz'));
    const answer = connection.read();
    await vi.waitUntil(() => answer.text.includes('200 OK'), { timeout: 30_000 });
    trickle(connection, '\r\n');
    await waitUntilClosed([connection]);
  });
});

describe.concurrent('a body that arrives a byte at a time is refused with 408', () => {
  afterAll(closeClients);

  const multipart = `--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n`;
  test.each([
    ['GraphQL', 'POST', '/graphql', 'application/json', '{"query":"{ viewer { userId } }"'],
    ['REST', 'POST', '/api/v3/comments', 'application/json', '{'],
    ['REST, of a wrong type', 'PUT', '/api/v3/users', 'text/plain', 'x'],
    ['an upload', 'POST', '/api/v4/files', 'multipart/form-data; boundary=b', multipart],
    ['no route', 'POST', '/nowhere', 'application/json', '{'],
  ])('%s', async (_, method, path, type, begin) => {
    const headers = { ...auth(), 'Content-Type': type, 'Content-Length': '100000' };
    const connection = await client(requestText(path, { method, headers }) + begin);
    const answer = connection.read();
    trickle(connection, ' ');
    await waitUntilClosed([connection]);
    expect(answer.text).toMatch(/^HTTP\/1\.1 (408|404) /);
  });

  test('chunked, without a length', async () => {
    const headers = { ...auth(), 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const connection = await client(requestText('/graphql', { method: 'POST', headers }));
    const answer = connection.read();
    trickle(connection, '1\r\n \r\n', 100);
    await waitUntilClosed([connection]);
    expect(answer.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.sequential('an upload leaves no part of its file', async () => {
    // It is removed after the answer.
    const files = () => readdir(join(gateway.services.config.DATA_DIR, 'files'));
    await expect.poll(files).not.toContainEqual(expect.stringMatching(/\.part$/));
  });
});

describe('a body that is sent slowly', () => {
  /** Longer than a busy machine delays the writes of these clients. */
  const BODY_MS = 8_000;
  const { bodyMs } = CONNECTION_LIMITS;
  beforeAll(() => void Object.assign(CONNECTION_LIMITS, { bodyMs: BODY_MS }));
  afterAll(() => void Object.assign(CONNECTION_LIMITS, { bodyMs }));
  afterEach(closeClients);

  test('stores an upload over a slow but steady connection', async () => {
    const body = `--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n${'x'.repeat(24_000)}\r\n--b--\r\n`;
    const headers = { ...auth(), 'Content-Type': 'multipart/form-data; boundary=b', Connection: 'close' };
    const length = { 'Content-Length': String(body.length) };
    const connection = await client(
      requestText('/api/v4/files', { method: 'POST', headers: { ...headers, ...length } }),
    );
    const answer = connection.read();
    const startedAt = performance.now();
    for (let sent = 0; sent < body.length; sent += 2_000) {
      connection.write(body.slice(sent, sent + 2_000));
      await new Promise((later) => setTimeout(later, BODY_MS / 10));
    }
    expect(performance.now() - startedAt).toBeGreaterThan(BODY_MS);
    await connection.closed;
    expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('refuses a body that takes too long with any content type, except uploads', async () => {
    const { requestMs } = HTTP_LIMITS;
    Object.assign(HTTP_LIMITS, { requestMs: 3_000 });
    onTestFinished(() => void Object.assign(HTTP_LIMITS, { requestMs }));
    const sent = async (path: string) => {
      const headers = {
        ...auth(),
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Length': '1000000',
      };
      const begin = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n';
      const connection = await client(requestText(path, { method: 'POST', headers }) + begin);
      connection.socket.resume();
      timers.push(setInterval(() => connection.write('x'.repeat(2_000)), 200));
      return connection;
    };
    const upload = await sent('/api/v4/files?a=b');
    await waitUntilClosed([await sent('/graphql'), await sent('/api/v3/comments')]);
    await new Promise((later) => setTimeout(later, 1_500));
    expect(upload.socket.closed).toBe(false);
  });
});

describe('a WebSocket is ended', () => {
  afterEach(closeClients);

  const upgrade = requestText('/graphql', {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'graphql-transport-ws',
      'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
    },
  });
  /** A text frame, or a continuation, with a mask of zeros. */
  const frame = (text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }) =>
    Buffer.concat([
      Buffer.from([(isLast ? 0x80 : 0) | (isFirst ? 1 : 0), 0x80 | text.length, 0, 0, 0, 0]),
      Buffer.from(text),
    ]);
  /** Opens a WebSocket. Its client reads nothing before `resume`. */
  async function openSocket(): Promise<RawClient> {
    // Not the number of sockets: a busy machine may end this one before it is counted.
    const opened = once(gateway.server.websocketServer, 'connection');
    const connection = await client(upgrade);
    await opened;
    return connection;
  }
  const isGone = () =>
    vi.waitUntil(() => gateway.server.websocketServer.clients.size === 0, { timeout: 30_000, interval: 50 });

  test('whose client never authenticates and ignores close frames', async () => {
    await openSocket();
    await isGone();
  });

  test('whose client sends fragments of a message that never ends', async () => {
    const connection = await openSocket();
    connection.socket.resume();
    connection.write(frame('{', { isFirst: true, isLast: false }));
    timers.push(setInterval(() => connection.write(frame(' ', { isFirst: false, isLast: false })), 100));
    await isGone();
  });

  test('whose client sends one frame a byte at a time', async () => {
    const connection = await openSocket();
    connection.socket.resume();
    connection.write(Buffer.from([0x81, 0x80 | 126, 0x40, 0, 0, 0, 0, 0]));
    trickle(connection, ' ', 100);
    await isGone();
  });

  test('whose message has more fragments than the limit', async () => {
    const connection = await openSocket();
    connection.socket.resume();
    connection.write(frame('{', { isFirst: true, isLast: false }));
    for (let count = 0; count < 2_000; count += 1) connection.write(frame(' ', { isFirst: false, isLast: false }));
    await connection.closed;
  });
});

test('leaves no connection open', async () => {
  await vi.waitUntil(async () => (await openConnections(gateway)) <= 2, { timeout: 30_000 });
});
