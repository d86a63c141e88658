import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_ATTEMPTS, pauseAfter } from '../../src/webhooks/schedule.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkBench, type WorkBench } from './work-bench.ts';

let bench: WorkBench;
let receiver: Receiver;
beforeAll(async () => {
  bench = await openWorkBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('a receiver that never takes it is tried ten times within 75 hours, then the delivery has failed', async () => {
  receiver.answer(status(500));
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  await bench.deliver(endpoint, event);
  const pauses: number[] = [];
  const bodies = new Set<string>();
  for (let tried = 1; ; tried += 1) {
    await bench.worker.runDue();
    expect(receiver.received.length).toBe(tried);
    bodies.add(receiver.received.at(-1)!.body);
    const { state, dueAt, attemptCount } = await bench.deliveryOf(endpoint, event);
    expect(attemptCount).toBe(tried);
    if (state !== 'pending') break;
    const pause = dueAt.getTime() - bench.now().getTime();
    pauses.push(pause);
    // Not a moment sooner.
    bench.advance(pause - 1);
    await bench.worker.runDue();
    expect(receiver.received.length).toBe(tried);
    bench.advance(1);
  }
  expect(pauses).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ]);
  expect(pauses.reduce((sum, pause) => sum + pause) / HOUR).toBeCloseTo(75.6, 1);
  expect(receiver.received.length).toBe(MAX_ATTEMPTS);
  expect(bodies.size).toBe(1);
  const { state, attempts } = await bench.deliveryOf(endpoint, event);
  expect(state).toBe('failed');
  expect(attempts.map(({ status }) => status)).toEqual(Array(10).fill(500));
  // Nobody looks after it any more.
  bench.advance(MINUTE);
  await bench.worker.runDue();
  expect((await bench.endpointNow(endpoint)).dueAt).toBeUndefined();
});

test('each pause differs by up to a twentieth, so that receivers are not met by everybody at once', () => {
  expect(pauseAfter(4, 0)).toBe(2 * HOUR * 0.95);
  expect(pauseAfter(4, 1)).toBe(2 * HOUR * 1.05);
  expect(pauseAfter(MAX_ATTEMPTS, 0.5)).toBe(null);
});

test('the attempt that succeeds is the last one', async () => {
  receiver.answer(status(502));
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  await bench.deliver(endpoint, event);
  await bench.worker.runDue();
  expect((await bench.endpointNow(endpoint)).failingSince).toEqual(bench.now());
  receiver.answer(OK);
  bench.advance(6 * SECOND);
  await bench.worker.runDue();
  bench.advance(100 * HOUR);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(2);
  const { state, attempts } = await bench.deliveryOf(endpoint, event);
  expect([state, attempts.map(({ status, error }) => [status, error])]).toEqual([
    'delivered',
    [
      [502, 'answered 502'],
      [200, null],
    ],
  ]);
  expect((await bench.endpointNow(endpoint)).failingSince).toBe(null);
});

test.each([
  { told: 'seconds', retryAfter: () => '3600', pause: HOUR, heldFor: HOUR },
  { told: 'a date', retryAfter: () => inAnHour(), pause: HOUR, heldFor: HOUR },
  { told: 'more than a day', retryAfter: () => '999999999', pause: 24 * HOUR, heldFor: 24 * HOUR },
  { told: 'less than the schedule', retryAfter: () => '1', pause: 5 * SECOND, heldFor: SECOND },
  { told: 'nonsense', retryAfter: () => 'soon', pause: 5 * SECOND, heldFor: 0 },
  { told: 'the past', retryAfter: () => 'Thu, 01 Jan 2026 00:00:00 GMT', pause: 5 * SECOND, heldFor: 0 },
])('a busy receiver is left alone for as long as it asks: $told', async ({ retryAfter, pause, heldFor }) => {
  receiver.answer(status(503, { 'retry-after': retryAfter() }));
  const endpoint = await bench.endpoint({ url: receiver.url });
  const [event, other] = [anEvent(), anEvent()];
  await bench.deliver(endpoint, event);
  await bench.worker.runDue();
  const { dueAt } = await bench.deliveryOf(endpoint, event);
  // HTTP dates hold no milliseconds.
  expect(Math.abs(dueAt.getTime() - bench.now().getTime() - pause)).toBeLessThanOrEqual(SECOND);
  receiver.answer(OK);
  await bench.deliver(endpoint, other);
  await bench.worker.runDue();
  expect((await bench.deliveryOf(endpoint, other)).state).toBe(heldFor > 0 ? 'pending' : 'delivered');
  bench.advance(heldFor);
  await bench.worker.runDue();
  expect((await bench.deliveryOf(endpoint, other)).state).toBe('delivered');
  bench.advance(pause);
  await bench.worker.runDue();
  expect((await bench.deliveryOf(endpoint, event)).state).toBe('delivered');
});

const inAnHour = () => new Date(bench.now().getTime() + HOUR).toUTCString();

test('only 429 and 503 are asked how long', async () => {
  receiver.answer(status(500, { 'retry-after': '3600' }));
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  await bench.deliver(endpoint, event);
  await bench.worker.runDue();
  const { dueAt } = await bench.deliveryOf(endpoint, event);
  expect(dueAt.getTime() - bench.now().getTime()).toBe(5 * SECOND);
});

test('a receiver that is gone is sent nothing more, with a notice', async () => {
  receiver.answer(status(410));
  const endpoint = await bench.endpoint({ url: receiver.url });
  await bench.deliver(endpoint, anEvent());
  await bench.worker.runDue();
  await bench.deliver(endpoint, anEvent());
  bench.advance(100 * HOUR);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(1);
  const { enabled, disabledReason } = await bench.endpointNow(endpoint);
  expect([enabled, disabledReason]).toEqual([false, 'gone']);
  expect(bench.disabled).toContainEqual([endpoint.endpointId, 'gone']);
});

test('an endpoint to which nothing could be delivered for five days is disabled, with a notice; one success in between begins anew', async () => {
  const fail = async (endpoint: Parameters<typeof bench.deliver>[0]) => {
    await bench.deliver(endpoint, anEvent());
    await bench.worker.runDue();
    return (await bench.endpointNow(endpoint)).enabled;
  };
  receiver.answer(status(500));
  const endpoint = await bench.endpoint({ url: receiver.url });
  expect(await fail(endpoint)).toBe(true);
  bench.advance(4 * 24 * HOUR);
  expect(await fail(endpoint)).toBe(true);
  receiver.answer(OK);
  await bench.deliver(endpoint, anEvent());
  await bench.worker.runDue();
  receiver.answer(status(500));
  bench.advance(2 * 24 * HOUR);
  expect(await fail(endpoint)).toBe(true);
  bench.advance(5 * 24 * HOUR - 1);
  expect(await fail(endpoint)).toBe(true);
  bench.advance(1);
  expect(await fail(endpoint)).toBe(false);
  expect((await bench.endpointNow(endpoint)).disabledReason).toBe('failing');
  expect(bench.disabled).toContainEqual([endpoint.endpointId, 'failing']);
});
