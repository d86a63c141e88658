import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHub } from '../../src/events/hub.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test('who comes back to a fresh process is told from memory, and who listens from now on nothing old', async () => {
  const missed = ['0', '1', '2', '3', '4'];
  const after: string = (await ask(gateway, '{ eventCursor }')).eventCursor;
  for (const path of missed) await emit(gateway, [postUpdated(path)]);
  const { db } = gateway.services.store;
  const watched = vi.spyOn(db, 'watch');
  // No further than needed: a store that is new does not reach back a minute.
  const hub = createHub({
    db,
    bufferSeconds: Math.floor(Date.now() / 1_000) - Number.parseInt(after.slice(2, 10), 16),
  });
  hub.open();
  await hub.ready();
  // A silent database does not say how far it has been read.
  await emit(gateway, [postUpdated('tick')]);
  const listenTo = (from: string | null) => {
    const told: string[] = [];
    const subscription = hub.subscribe({
      after: from,
      onEvent: ({ event }) => void told.push(event.path.replace('default/', '')),
      onLost: (reason) => expect.fail(reason.message),
    });
    return { told, subscription };
  };
  const back = Array.from({ length: 20 }, () => listenTo(after));
  const fresh = listenTo(null);
  const withoutTick = (told: string[]) => told.filter((path) => path !== 'tick');
  await waitFor(() => back.every(({ told }) => told.includes('4')));
  await emit(gateway, [postUpdated('5')]);
  await waitFor(() => [...back, fresh].every(({ told }) => told.includes('5')));
  for (const { told } of back) expect(withoutTick(told)).toEqual([...missed, '5']);
  expect(withoutTick(fresh.told)).toEqual(['5']);
  // The hub's own, and the one look back.
  expect(watched).toHaveBeenCalledTimes(2);
  watched.mockRestore();
  for (const { subscription } of [...back, fresh]) subscription.close();
  await hub.close();
});
