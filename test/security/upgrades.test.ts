import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConnections, rawClient, requestText } from '../support/raw-client.ts';
import { rawSocket } from '../support/raw-socket.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const upgradeText = (path: string, method = 'GET') =>
  requestText(path, {
    method,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'graphql-transport-ws',
      'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
    },
  });

/** The whole response to an upgrade request; the server must close the connection. */
async function upgrade(path: string, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(upgradeText(path, method));
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.startsWith('HTTP/1.1 101')) socket.destroy();
  });
  await once(socket, 'close');
  return text;
}

test.each([
  '/healthz',
  '/readyz',
  '/docs',
  '/docs/',
  '/docs/events',
  '/openapi.json',
  '/api/v3/posts/seedlings',
  '/api/v4/files',
  '/realtime/post.created',
  '/webhook/v3.comment.didCreate',
  '/files/x',
  '/nowhere',
  '/',
])('answers a WebSocket upgrade of %s with a plain HTTP error', async (path) => {
  const answer = await upgrade(path);
  expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
  expect(answer).toContain('"status":"error"');
  expect(gateway.server.websocketServer.clients.size).toBe(0);
});

test('answers an upgrade by another method than GET with a plain HTTP error', async () => {
  expect(await upgrade('/graphql', 'POST')).toMatch(/^HTTP\/1\.1 4/);
});

test('accepts WebSockets at /mqtt and /socket.io, and closes those without the protocol or a token', async () => {
  for (const path of ['/mqtt', '/mqtt/', '/socket.io', '/socket.io/']) {
    expect(await upgrade(path), path).toMatch(/^HTTP\/1\.1 101 /);
  }
});

test('accepts WebSockets at /graphql, with and without a trailing slash', async () => {
  expect(await upgrade('/graphql')).toMatch(/^HTTP\/1\.1 101 /);
  expect(await upgrade('/graphql/')).toMatch(/^HTTP\/1\.1 101 /);
  const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
  raw.close();
});

test('closes and stops counting a connection that requests an upgrade before the previous response', async () => {
  const limited = await startTestGateway({ CONNECTIONS_PER_ADDRESS: '5', LOG_LEVEL: 'silent' });
  onTestFinished(() => limited.close());
  const clients = await Promise.all(Array.from({ length: 5 }, () => rawClient(limited)));
  for (const { socket, write } of clients) {
    socket.resume();
    write(requestText('/healthz') + upgradeText('/graphql'));
  }
  await Promise.all(clients.map(({ closed }) => closed));
  await vi.waitUntil(async () => (await openConnections(limited)) === 0, { timeout: 30_000 });
  expect((await fetch(`${limited.url}/healthz`)).status).toBe(200);
});
