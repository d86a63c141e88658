import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { createSender } from '../../src/webhooks/send.ts';
import { freePort } from '../support/free-port.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** For calls that reach their timeout. */
const SHORT_MS = 400;
const LATE = 'no complete answer within 0.4 seconds';
let receiver: Receiver;
/** Its timeout is the default, which no call of these tests reaches. */
let sender: ReturnType<typeof createSender>;
let impatient: ReturnType<typeof createSender>;
beforeEach(async () => {
  receiver = await startReceiver();
  sender = createSender({ allowPrivate: true, resolve: createResolver() });
  impatient = createSender({ allowPrivate: true, timeoutMs: SHORT_MS, resolve: createResolver() });
});
afterEach(async () => {
  sender.close();
  impatient.close();
  await receiver.close();
});

const call = (url = receiver.url) => ({ url, method: 'POST' as const, headers: {}, body: '{}' });

test.each([
  ['never answers', () => undefined],
  ['answers with half a body', (_: unknown, response: { write(text: string): void }) => response.write('{')],
  [
    'sends its body a byte at a time',
    (_: unknown, response: { write(text: string): boolean; destroyed: boolean }) => {
      const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write(' ')), 50);
    },
  ],
])('fails a call at its timeout when the receiver %s', async (_, answering) => {
  receiver.answer(answering as never);
  const start = performance.now();
  expect(await impatient.send(call())).toMatchObject({ status: null, error: LATE });
  expect(performance.now() - start).toBeGreaterThan(SHORT_MS / 2);
});

test('counts the lookup of a name towards the timeout', async () => {
  const slow = createSender({ allowPrivate: true, timeoutMs: SHORT_MS, resolve: () => new Promise(() => undefined) });
  expect((await slow.send(call('http://slow.test/'))).error).toBe(LATE);
  slow.close();
});

test('treats an upgrade to another protocol as an answer with status 101', async () => {
  const server = net.createServer((socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  expect(await sender.send(call(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 101, error: null });
  // The connection is closed.
  await vi.waitUntil(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count === 0))), {
    timeout: 30_000,
  });
  server.close();
});

test('fails a call that gets interim responses without end', async () => {
  const server = net.createServer((socket) => {
    const flood = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
    socket.once('data', () => {
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(flood)), 10);
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  expect(await impatient.send(call(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: null,
    error: 'too many interim responses',
  });
  server.close();
});

test('accepts an answer after interim responses', async () => {
  receiver.answer((_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end();
  });
  expect(await sender.send(call())).toMatchObject({ status: 200, error: null });
});

test('ends a call with its signal, and removes its listener', async () => {
  const ending = new AbortController();
  const added = vi.spyOn(ending.signal, 'addEventListener');
  const removed = vi.spyOn(ending.signal, 'removeEventListener');
  await sender.send({ ...call(), signal: ending.signal });
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener));
  receiver.answer(() => void ending.abort());
  const ended = await sender.send({ ...call(), signal: ending.signal });
  expect(ended).toMatchObject({ status: null, error: expect.not.stringContaining('no complete answer') });
  expect((await sender.send({ ...call(), signal: ending.signal })).status).toBe(null);
});

test('redacts secrets in a stored answer, also at its end', async () => {
  const token = 'the-token-of-the-endpoint';
  const text = `${token} é ${'x'.repeat(1_000)}${token}`;
  receiver.answer((_, response) => void response.end(text));
  const { response } = await sender.send({ ...call(), hidden: [token, 'another'] });
  const stars = '*'.repeat(token.length);
  expect(response).toBe(Buffer.from(text.replaceAll(token, stars)).subarray(0, 1_024).toString());
});

test('stores the beginning of a long answer and does not read the rest', async () => {
  let written = 0;
  receiver.answer((_, response) => {
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += 16_384;
        if (!response.write('é'.repeat(8_192))) return void response.once('drain', more);
      }
    };
    more();
  });
  const { status, response: stored } = await sender.send(call());
  expect(status).toBe(200);
  expect(Buffer.byteLength(stored!)).toBeLessThanOrEqual(1_024);
  expect(written).toBeLessThan(100_000_000);
});

test('describes a failed call without an address', async () => {
  const refused = await sender.send(call(`http://127.0.0.1:${await freePort()}/`));
  expect(refused).toMatchObject({ status: null, error: 'the connection was refused' });
  receiver.answer((_, response) => void response.destroy());
  expect(await sender.send(call())).toMatchObject({ status: null, error: 'the connection was reset' });
  const unknown = createSender({
    allowPrivate: true,
    resolve: () => Promise.reject(Object.assign(new Error('at 10.0.0.53'), { code: 'ENOTFOUND' })),
  });
  expect((await unknown.send(call('http://nowhere.test/'))).error).toBe('the host was not found');
  unknown.close();
});

test('repeats a call on a new connection when the receiver has closed the idle one', async () => {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      // Closes the connection when it carries a second request.
      if (requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  expect((await sender.send(call(url))).status).toBe(200);
  expect((await sender.send(call(url))).status).toBe(200);
  expect(connections).toBe(2);
  sender.close();
  server.close();
});
