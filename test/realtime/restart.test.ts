import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHub } from '../../src/events/hub.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

/** How long the test may take from reading the cursor until the hub reads the log. */
const SLACK_SECONDS = 3;
const second = () => Math.floor(Date.now() / 1_000);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  // The log of a new store begins with the store, and the hub reads the seconds before the cursor too.
  const createdBefore = second();
  await vi.waitUntil(() => second() > createdBefore + 2 * SLACK_SECONDS, { timeout: 30_000, interval: 100 });
});
afterAll(() => gateway.close());

test('a new process serves resumed subscriptions from memory, and new ones only live events', async () => {
  const missed = ['0', '1', '2', '3', '4'];
  const after: string = (await ask(gateway, '{ eventCursor }')).eventCursor;
  for (const path of missed) await emit(gateway, [postUpdated(path)]);
  const { db } = gateway.services.store;
  const watched = vi.spyOn(db, 'watch');
  const cursorSecond = Number.parseInt(after.slice(2, 10), 16);
  const hub = createHub({ db, bufferSeconds: second() - cursorSecond + SLACK_SECONDS });
  hub.open();
  await hub.ready();
  // An idle database may not advance the position.
  await emit(gateway, [postUpdated('tick')]);
  const subscribe = (from: string | null) => {
    const paths: string[] = [];
    const subscription = hub.subscribe({
      after: from,
      onEvent: ({ event }) => void paths.push(event.path.replace('default/', '')),
      onLost: (reason) => expect.fail(reason.message),
    });
    return { paths, subscription };
  };
  const resumed = Array.from({ length: 20 }, () => subscribe(after));
  const live = subscribe(null);
  const withoutTick = (paths: string[]) => paths.filter((path) => path !== 'tick');
  await waitFor(() => resumed.every(({ paths }) => paths.includes('4')));
  await emit(gateway, [postUpdated('5')]);
  await waitFor(() => [...resumed, live].every(({ paths }) => paths.includes('5')));
  for (const { paths } of resumed) expect(withoutTick(paths)).toEqual([...missed, '5']);
  expect(withoutTick(live.paths)).toEqual(['5']);
  // One stream of the hub, and one that loads recent events.
  expect(watched).toHaveBeenCalledTimes(2);
  watched.mockRestore();
  for (const { subscription } of [...resumed, live]) subscription.close();
  await hub.close();
});
