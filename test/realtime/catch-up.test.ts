import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isRefused } from '../../schema/documents/prepare.ts';
import { parseSubscription } from '../../schema/subscriptions/parse-subscription.ts';
import { createRealtime, type Realtime } from '../../src/realtime/realtime.ts';
import { serviceSession } from '../../src/realtime/subscribers/service-session.ts';
import type { Subscription, SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

const SUBSCRIBERS = 40;
const MISSED = 30;

let gateway: TestGateway;
let realtime: Realtime;
beforeAll(async () => {
  gateway = await startTestGateway();
  const limits = { perUser: 100, subscriptionsPerUser: 500, topicsPerUser: 500 };
  realtime = createRealtime({ services: gateway.services, ...limits, onError: (error) => expect.fail(String(error)) });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  realtime.close();
  await gateway.close();
});

/** The spec of a subscription after a cursor. */
function specAfter(after: string): SubscriptionSpec {
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path } }';
  const prepared = gateway.executor.prepare(query);
  if (isRefused(prepared)) return expect.fail(prepared.errors.join());
  const subscribed = parseSubscription(gateway.executor, prepared, { after });
  return 'errors' in subscribed ? expect.fail(subscribed.errors.join()) : subscribed.spec;
}

const newestCursor = async (): Promise<string> => (await ask(gateway, '{ eventCursor }')).eventCursor;
const pathOf = (text: string): string => JSON.parse(text).data.postUpdated.path.replace('default/', '');

test('subscribers that resume under load catch up and share renderings, each event once and in order', async () => {
  const after = await newestCursor();
  for (let n = 0; n < MISSED; n += 1) await emit(gateway, [postUpdated(String(n))]);
  const spec = specAfter(after);
  // Rendering alone for each subscriber would be slower than the writes.
  const { run } = gateway.executor;
  const spy = vi.spyOn(gateway.executor, 'run').mockImplementation(async (...args) => {
    await new Promise((later) => setTimeout(later, 60));
    return run(...args);
  });

  const delivered: string[][] = Array.from({ length: SUBSCRIBERS }, () => []);
  const caughtUp = new Set<number>();
  const subscriptions: Subscription[] = delivered.map((paths, index) =>
    realtime.fanOut.subscribe(
      spec,
      {
        session: serviceSession('default'),
        deliver: (text) => paths.push(pathOf(text)),
        onCaughtUp: () => caughtUp.add(index),
        onLost: (reason) => expect.fail(reason.message),
      },
      after,
    ),
  );
  expect(subscriptions.some(({ isCaughtUp }) => isCaughtUp)).toBe(false);
  let written = MISSED;
  let isWriting = true;
  const writing = (async () => {
    for (; isWriting; written += 1) await emit(gateway, [postUpdated(String(written))]);
  })();
  await waitFor(() => caughtUp.size === SUBSCRIBERS);
  isWriting = false;
  await writing;
  await waitFor(
    () => delivered.every(({ length }) => length >= written) && subscriptions.every(({ isCaughtUp }) => isCaughtUp),
  );
  const all = Array.from({ length: written }, (_, n) => String(n));
  for (const paths of delivered) expect(paths).toEqual(all);
  // Renderings are shared, not repeated for each subscriber.
  expect(spy.mock.calls.length).toBeLessThan(written * 4);
  for (const one of subscriptions) one.close();
});

test('subscribers that resume one after the other share renderings, too', async () => {
  const after = await newestCursor();
  for (let n = 0; n < 3; n += 1) await emit(gateway, [postUpdated(String(n))]);
  const spec = specAfter(after);
  const render = vi.spyOn(spec, 'render');
  const delivered: string[][] = [];
  const subscriptions: Subscription[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < 200; index += 1) {
    const paths: string[] = [];
    delivered.push(paths);
    subscriptions.push(
      realtime.fanOut.subscribe(
        spec,
        {
          session: serviceSession('default'),
          deliver: (text) => paths.push(pathOf(text)),
          onLost: (reason) => expect.fail(reason.message),
        },
        after,
      ),
    );
    // Each subscriber arrives after the event was rendered for the previous one, unless it waits.
    await new Promise((later) => setTimeout(later, 2));
  }
  await waitFor(() => delivered.every(({ length }) => length === 3));
  for (const paths of delivered) expect(paths).toEqual(['0', '1', '2']);
  // Four renderings of each event immediately, then four a second.
  const perEvent = 4 + Math.ceil((performance.now() - startedAt) / 250) + 1;
  expect(render.mock.calls.length).toBeLessThanOrEqual(3 * perEvent);
  expect(perEvent).toBeLessThan(delivered.length);
  for (const one of subscriptions) one.close();
});

test('subscribers that resume one after the other while events are written share renderings', async () => {
  const after = await newestCursor();
  const spec = specAfter(after);
  const render = vi.spyOn(spec, 'render');
  const delivered: string[][] = [];
  const subscriptions: Subscription[] = [];
  const startedAt = performance.now();
  const written: string[] = [];
  // Each subscriber misses another last event.
  for (let n = 0; n < 80; n += 1) {
    await emit(gateway, [postUpdated(String(n))]);
    written.push(String(n));
    const paths: string[] = [];
    delivered.push(paths);
    const deliver = (text: string) => paths.push(pathOf(text));
    const onLost = (reason: Error) => expect.fail(reason.message);
    subscriptions.push(realtime.fanOut.subscribe(spec, { session: serviceSession('default'), deliver, onLost }, after));
  }
  await waitFor(() => delivered.every(({ length }) => length >= written.length));
  for (const paths of delivered) expect(paths).toEqual(written);
  const rendered = new Map<string, number>();
  for (const [{ live }] of render.mock.calls) rendered.set(live.event.path, (rendered.get(live.event.path) ?? 0) + 1);
  // Four renderings of each event immediately, then four a second, and one as a live event.
  const perEvent = 4 + Math.ceil((performance.now() - startedAt) / 250) + 2;
  expect(Math.max(...rendered.values())).toBeLessThanOrEqual(perEvent);
  for (const one of subscriptions) one.close();
});

test('subscribers that resume after different events share one rendering of each, and receive what they missed', async () => {
  const session = serviceSession('default');
  const onLost = (reason: Error) => expect.fail(reason.message);
  const spec = specAfter(await newestCursor());
  const positions: string[] = [];
  const first = realtime.fanOut.subscribe(spec, { session, deliver: (_, live) => positions.push(live.cursor), onLost });
  for (const path of ['before', '0', '1', '2', '3', '4']) await emit(gateway, [postUpdated(path)]);
  await waitFor(() => positions.length === 6);
  first.close();
  const render = vi.spyOn(spec, 'render');
  const caughtUp = new Set<number>();
  const delivered = Array.from({ length: 60 }, (_, index) => {
    const paths: string[] = [];
    const after = positions[index % positions.length]!;
    const onCaughtUp = () => caughtUp.add(index);
    const deliver = (text: string) => paths.push(pathOf(text));
    const subscription = realtime.fanOut.subscribe(spec, { session, deliver, onCaughtUp, onLost }, after);
    return { paths, missed: ['0', '1', '2', '3', '4'].slice(index % positions.length), subscription };
  });
  await waitFor(() => caughtUp.size === delivered.length);
  for (const { paths, missed } of delivered) expect(paths).toEqual(missed);
  expect(render).toHaveBeenCalledTimes(5);

  await emit(gateway, [postUpdated('live')]);
  await waitFor(() => delivered.every(({ paths }) => paths.at(-1) === 'live'));
  for (const { paths, missed } of delivered) expect(paths).toEqual([...missed, 'live']);
  for (const { subscription } of delivered) subscription.close();
});
