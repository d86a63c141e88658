import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { rawSocket } from '../support/raw-socket.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenOf('bob');
});
afterAll(() => gateway.close());

/** Documents differ, so that each would be parsed and validated. */
const subscribe = (n: number) => ({
  id: `s${n}`,
  type: 'subscribe',
  payload: { query: `subscription S${n} { postUpdated { path cursor } }` },
});
const codes = (messages: Array<{ type: string; payload?: Array<{ extensions: { code: string } }> }>) =>
  messages.filter(({ type }) => type === 'error').map(({ payload }) => payload![0]!.extensions.code);

test('closes a socket that sends 10,000 subscribe messages together, and serves others meanwhile', async () => {
  const raw = await (await rawSocket(gateway.url)).init(token);
  const prepare = vi.spyOn(gateway.executor, 'prepareInTurn');
  onTestFinished(() => prepare.mockRestore());
  for (let n = 0; n < 10_000; n += 1) raw.send(subscribe(n));
  const { code, reason } = await raw.closed;
  expect(code).toBe(4429);
  expect(reason).toMatch(/^At most [\d,]+ /);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  // Most of them are not even parsed.
  expect(prepare.mock.calls.length).toBeGreaterThan(0);
  expect(prepare.mock.calls.length).toBeLessThan(1_000);
});

test('closes a socket that continues after rejections', async () => {
  const raw = await (await rawSocket(gateway.url)).init(token);
  let isOver = false;
  void raw.closed.then(() => {
    isOver = true;
  });
  for (let n = 0; n < 1_000 && !isOver; n += 1) {
    if (raw.socket.readyState === WebSocket.OPEN) raw.send(subscribe(n));
    if (n % 20 === 19) await new Promise((later) => setTimeout(later, 10));
  }
  const { code, reason } = await raw.closed;
  expect([code, reason]).toEqual([4429, 'At most 100 rejected messages per 10 s.']);
  expect(codes(raw.messages).every((name) => name === 'RATE_LIMITED')).toBe(true);
  expect(codes(raw.messages).length).toBeGreaterThan(50);
});

test('a rejection names both limits of a socket', async () => {
  const raw = await (await rawSocket(gateway.url)).init(token);
  for (let n = 0; n <= 100; n += 1) raw.send(subscribe(n));
  const { payload } = await raw.message(({ type }) => type === 'error');
  expect(payload[0].message).toBe('At most 100 subscriptions and 20 other operations on one socket.');
  raw.close();
});

test('handles messages that arrive together in order', async () => {
  const raw = await rawSocket(gateway.url);
  raw.send({ type: 'connection_init', payload: { accessToken: token } });
  await raw.message(({ type }) => type === 'connection_ack');
  for (let n = 0; n < 50; n += 1) raw.send({ type: 'ping', payload: { n } });
  await raw.message(({ type, payload }) => type === 'pong' && payload.n === 49);
  const order = raw.messages.filter(({ type }) => type === 'pong').map(({ payload }) => payload.n);
  expect(order).toEqual(Array.from({ length: 50 }, (_, n) => n));
  raw.close();
});

test('pauses reading from a socket while many long messages wait', async () => {
  const pause = vi.spyOn(WebSocket.prototype, 'pause');
  onTestFinished(() => pause.mockRestore());
  // Before authentication.
  const raw = await rawSocket(gateway.url);
  const text = JSON.stringify({ type: 'pong', payload: { text: 'x'.repeat(200_000) } });
  for (let n = 0; n < 100; n += 1) raw.send(text);
  raw.send({ type: 'ping', payload: { isLast: true } });
  await raw.message(({ type, payload }) => type === 'pong' && payload.isLast);
  expect(pause).toHaveBeenCalled();
  for (const paused of pause.mock.contexts) expect((paused as WebSocket).isPaused).toBe(false);
  raw.close();
});
