import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isRefused } from '../../schema/documents/prepare.ts';
import { parseSubscription } from '../../schema/subscriptions/parse-subscription.ts';
import { createRealtime, type Realtime } from '../../src/realtime/realtime.ts';
import { serviceSession } from '../../src/realtime/subscribers/service-session.ts';
import type { Subscription } from '../../src/realtime/subscription-spec.ts';
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
afterAll(async () => {
  realtime.close();
  await gateway.close();
});

test('subscribers that resume under load catch up and share renderings, each event once and in order', async () => {
  const after: string = (await ask(gateway, '{ eventCursor }')).eventCursor;
  for (let n = 0; n < MISSED; n += 1) await emit(gateway, [postUpdated(String(n))]);
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path } }';
  const prepared = gateway.executor.prepare(query);
  if (isRefused(prepared)) return expect.fail(prepared.errors.join());
  const subscribed = parseSubscription(gateway.executor, prepared, { after });
  if ('errors' in subscribed) return expect.fail(subscribed.errors.join());
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
      subscribed.spec,
      {
        session: serviceSession('default'),
        deliver: (text) => paths.push(JSON.parse(text).data.postUpdated.path.replace('default/', '')),
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
  spy.mockRestore();
  for (const one of subscriptions) one.close();
});
