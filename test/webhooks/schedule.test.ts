import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_ATTEMPTS, pauseAfter } from '../../src/webhooks/schedule.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

let harness: WorkerHarness;
let receiver: Receiver;
beforeAll(async () => {
  harness = await openWorkerHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('attempts a delivery ten times within 75 hours before it fails', async () => {
  receiver.answer(status(500));
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  await harness.deliver(endpoint, event);
  const pauses: number[] = [];
  const bodies = new Set<string>();
  for (let attempts = 1; ; attempts += 1) {
    await harness.worker.runDue();
    expect(receiver.received.length).toBe(attempts);
    bodies.add(receiver.received.at(-1)!.body);
    const { state, dueAt, attemptCount } = await harness.deliveryOf(endpoint, event);
    expect(attemptCount).toBe(attempts);
    if (state !== 'pending') break;
    const pause = dueAt.getTime() - harness.now().getTime();
    pauses.push(pause);
    // No attempt before the pause has ended.
    harness.advance(pause - 1);
    await harness.worker.runDue();
    expect(receiver.received.length).toBe(attempts);
    harness.advance(1);
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
  const { state, attempts } = await harness.deliveryOf(endpoint, event);
  expect(state).toBe('failed');
  expect(attempts.map(({ status }) => status)).toEqual(Array(10).fill(500));
  // The worker no longer polls it.
  harness.advance(MINUTE);
  await harness.worker.runDue();
  expect((await harness.readEndpoint(endpoint)).dueAt).toBeUndefined();
});

test('varies each pause by up to 5 %', () => {
  expect(pauseAfter(4, 0)).toBe(2 * HOUR * 0.95);
  expect(pauseAfter(4, 1)).toBe(2 * HOUR * 1.05);
  expect(pauseAfter(MAX_ATTEMPTS, 0.5)).toBe(null);
});

test('stops after a successful attempt', async () => {
  receiver.answer(status(502));
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  await harness.deliver(endpoint, event);
  await harness.worker.runDue();
  expect((await harness.readEndpoint(endpoint)).failingSince).toEqual(harness.now());
  receiver.answer(OK);
  harness.advance(6 * SECOND);
  await harness.worker.runDue();
  harness.advance(100 * HOUR);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(2);
  const { state, attempts } = await harness.deliveryOf(endpoint, event);
  expect([state, attempts.map(({ status, error }) => [status, error])]).toEqual([
    'delivered',
    [
      [502, 'responded with 502'],
      [200, null],
    ],
  ]);
  expect((await harness.readEndpoint(endpoint)).failingSince).toBe(null);
});

test.each([
  { sent: 'seconds', retryAfter: () => '3600', pause: HOUR, heldFor: HOUR },
  { sent: 'a date', retryAfter: () => inAnHour(), pause: HOUR, heldFor: HOUR },
  { sent: 'more than a day', retryAfter: () => '999999999', pause: 24 * HOUR, heldFor: 24 * HOUR },
  { sent: 'less than the schedule', retryAfter: () => '1', pause: 5 * SECOND, heldFor: SECOND },
  { sent: 'nonsense', retryAfter: () => 'soon', pause: 5 * SECOND, heldFor: 0 },
  { sent: 'the past', retryAfter: () => 'Thu, 01 Jan 2026 00:00:00 GMT', pause: 5 * SECOND, heldFor: 0 },
])('a busy receiver is left alone for as long as it asks: $sent', async ({ retryAfter, pause, heldFor }) => {
  receiver.answer(status(503, { 'retry-after': retryAfter() }));
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [event, other] = [anEvent(), anEvent()];
  await harness.deliver(endpoint, event);
  await harness.worker.runDue();
  const { dueAt } = await harness.deliveryOf(endpoint, event);
  // HTTP dates have no milliseconds.
  expect(Math.abs(dueAt.getTime() - harness.now().getTime() - pause)).toBeLessThanOrEqual(SECOND);
  receiver.answer(OK);
  await harness.deliver(endpoint, other);
  await harness.worker.runDue();
  expect((await harness.deliveryOf(endpoint, other)).state).toBe(heldFor > 0 ? 'pending' : 'delivered');
  harness.advance(heldFor);
  await harness.worker.runDue();
  expect((await harness.deliveryOf(endpoint, other)).state).toBe('delivered');
  harness.advance(pause);
  await harness.worker.runDue();
  expect((await harness.deliveryOf(endpoint, event)).state).toBe('delivered');
});

const inAnHour = () => new Date(harness.now().getTime() + HOUR).toUTCString();

test('honours Retry-After only with status 429 and 503', async () => {
  receiver.answer(status(500, { 'retry-after': '3600' }));
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  await harness.deliver(endpoint, event);
  await harness.worker.runDue();
  const { dueAt } = await harness.deliveryOf(endpoint, event);
  expect(dueAt.getTime() - harness.now().getTime()).toBe(5 * SECOND);
});

test('reports the first failure of an endpoint, and each delivery that is given up', async () => {
  receiver.answer(status(500));
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [first, second] = [anEvent(), anEvent()];
  await harness.deliver(endpoint, first);
  await harness.worker.runDue();
  await harness.deliver(endpoint, second);
  await harness.worker.runDue();
  const failed = () => harness.failed.filter(({ eventId }) => [first.eventId, second.eventId].includes(eventId));
  expect(failed()).toEqual([{ eventId: first.eventId, error: 'responded with 500', isGivenUp: false }]);
  receiver.answer(status(410));
  harness.advance(100 * HOUR);
  await harness.worker.runDue();
  expect(failed()).toContainEqual(expect.objectContaining({ error: 'responded with 410 (Gone)', isGivenUp: true }));
});

test('disables the endpoint of a receiver that answers 410, and logs it', async () => {
  receiver.answer(status(410));
  const endpoint = await harness.endpoint({ url: receiver.url });
  await harness.deliver(endpoint, anEvent());
  await harness.worker.runDue();
  await harness.deliver(endpoint, anEvent());
  harness.advance(100 * HOUR);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(1);
  const { enabled, disabledReason } = await harness.readEndpoint(endpoint);
  expect([enabled, disabledReason]).toEqual([false, 'gone']);
  expect(harness.disabled).toContainEqual([endpoint.endpointId, 'gone']);
});

test('disables an endpoint after five days without a success, and logs it', async () => {
  const fail = async (endpoint: Parameters<typeof harness.deliver>[0]) => {
    await harness.deliver(endpoint, anEvent());
    await harness.worker.runDue();
    return (await harness.readEndpoint(endpoint)).enabled;
  };
  receiver.answer(status(500));
  const endpoint = await harness.endpoint({ url: receiver.url });
  expect(await fail(endpoint)).toBe(true);
  harness.advance(4 * 24 * HOUR);
  expect(await fail(endpoint)).toBe(true);
  receiver.answer(OK);
  await harness.deliver(endpoint, anEvent());
  await harness.worker.runDue();
  receiver.answer(status(500));
  harness.advance(2 * 24 * HOUR);
  expect(await fail(endpoint)).toBe(true);
  harness.advance(5 * 24 * HOUR - 1);
  expect(await fail(endpoint)).toBe(true);
  harness.advance(1);
  expect(await fail(endpoint)).toBe(false);
  expect((await harness.readEndpoint(endpoint)).disabledReason).toBe('failing');
  expect(harness.disabled).toContainEqual([endpoint.endpointId, 'failing']);
});
