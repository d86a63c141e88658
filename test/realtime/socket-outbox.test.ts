import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { BINARY, flushSocket, SocketOutbox, TEXT } from '../../src/realtime/socket-outbox.ts';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  sockets.close();
  server.close();
});

/** Both ends of one WebSocket, and the messages that the client has received. */
async function open() {
  const accepted = once(sockets, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: Array<{ data: Buffer; isBinary: boolean }> = [];
  client.on('message', (data: Buffer, isBinary) => received.push({ data, isBinary }));
  const [[socket, request]] = await Promise.all([
    accepted as Promise<[WebSocket, { socket: Socket }]>,
    once(client, 'open'),
  ]);
  onTestFinished(() => client.terminate());
  const stream = request.socket;
  return { client, socket, stream, outbox: new SocketOutbox(socket, stream), received };
}

const textOf = ({ data }: { data: Buffer }) => data.toString();
const message = (text: string, prefix = '') => ({
  opcode: TEXT as typeof TEXT,
  prefix: prefix === '' ? null : Buffer.from(prefix),
  payload: Buffer.from(text),
});

test('sends messages of every length of the frame head, in order and between the messages of ws', async () => {
  const { socket, outbox, received } = await open();
  const lengths = [0, 1, 125, 126, 16_000, 16_384, 65_535, 65_536, 200_000];
  const texts = [...lengths.map((length) => 'x'.repeat(length)), '€'.repeat(50)];
  const expected: string[] = [];
  for (const [index, text] of texts.entries()) {
    outbox.push(message(text, `${index}:`));
    outbox.push(message(text));
    outbox.flush();
    socket.send(`sent by ws ${index}`);
    expected.push(`${index}:${text}`, text, `sent by ws ${index}`);
  }
  await vi.waitUntil(() => received.length === expected.length);
  expect(received.map(textOf)).toEqual(expected);
});

test('marks binary messages', async () => {
  const { outbox, received } = await open();
  outbox.push({ opcode: BINARY, prefix: null, payload: Buffer.from([0xff, 0]) });
  await vi.waitUntil(() => received.length === 1);
  expect(received).toEqual([{ data: Buffer.from([0xff, 0]), isBinary: true }]);
});

test('writes the messages that wait for one socket in one chunk', async () => {
  const { stream, outbox, received } = await open();
  const write = vi.spyOn(stream, 'write');
  for (const text of ['one', 'two', 'three']) outbox.push(message(text));
  expect(write).not.toHaveBeenCalled();
  await vi.waitUntil(() => received.length === 3);
  expect(write).toHaveBeenCalledTimes(1);
});

test('many sockets receive one payload, and each socket its own prefix', async () => {
  const ends: Array<Awaited<ReturnType<typeof open>>> = [];
  // One at a time, so that each client meets its own end.
  while (ends.length < 40) ends.push(await open());
  const payload = Buffer.from('shared');
  for (const [index, { outbox }] of ends.entries())
    for (const event of ['a', 'b']) outbox.push({ opcode: TEXT, prefix: Buffer.from(`${index}${event} `), payload });
  await vi.waitUntil(() => ends.every(({ received }) => received.length === 2));
  for (const [index, { received }] of ends.entries())
    expect(received.map(textOf)).toEqual([`${index}a shared`, `${index}b shared`]);
  expect(payload.toString()).toBe('shared');
});

test('writes a burst before its end, so that it is not counted as unsent', async () => {
  const { outbox, stream } = await open();
  for (let sent = 0; sent < 20; sent += 1) outbox.push(message('x'.repeat(10_000)));
  expect(stream.bytesWritten).toBeGreaterThan(100_000);
});

test('keeps the bytes of a message that a client has not read, while others are written', async () => {
  const slow = await open();
  const quick = await open();
  slow.client.pause();
  const texts: string[] = [];
  while (!slow.outbox.isSlow()) {
    const text = String(texts.length % 10).repeat(10_000);
    texts.push(text);
    slow.outbox.push(message(text));
    slow.outbox.flush();
    quick.outbox.push(message('quick'));
    quick.outbox.flush();
  }
  // The bytes that wait are kept while other sockets are written.
  for (let sent = 0; sent < 10; sent += 1) {
    quick.outbox.push(message('quick'));
    quick.outbox.flush();
  }
  expect(quick.outbox.isSlow()).toBe(false);
  slow.client.resume();
  await vi.waitUntil(() => slow.received.length === texts.length && quick.received.length === texts.length + 10);
  expect(slow.received.map(textOf)).toEqual(texts);
  expect(quick.received.every((one) => textOf(one) === 'quick')).toBe(true);
});

test('disconnects a client that reads nothing, before more than the limit is queued', async () => {
  const { client, outbox, stream } = await open();
  client.pause();
  const text = 'x'.repeat(100_000);
  let pushed = 0;
  while (outbox.push(message(text))) {
    pushed += text.length;
    outbox.flush();
    expect(stream.writableLength).toBeLessThan(LIVE_LIMITS.buffered + 2 * text.length);
  }
  expect(pushed).toBeGreaterThan(LIVE_LIMITS.buffered);
  client.resume();
  await once(client, 'close');
});

test('sends waiting messages before a close that flushes, and none after a close', async () => {
  const flushed = await open();
  flushed.outbox.push(message('last'));
  flushSocket(flushed.socket);
  flushed.socket.close(1001);
  const closed = await open();
  closed.outbox.push(message('too late'));
  closed.socket.close(1001);
  closed.outbox.push(message('far too late'));
  await Promise.all([flushed, closed].map(({ client }) => once(client, 'close')));
  expect(flushed.received.map(textOf)).toEqual(['last']);
  expect(closed.received).toEqual([]);
});
