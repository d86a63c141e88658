import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, liveClient } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

const EVENTS = 70;
/** In one transaction. */
const TOGETHER = 10;

let gateway: TestGateway;
let bob: LiveClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  bob = await liveClient(gateway, 'bob');
});
afterAll(async () => {
  await bob.close();
  await gateway.close();
});

/** The shards on which a collection has records of the network. */
async function shardsOf(collection: string): Promise<string[]> {
  const { db } = gateway.services.store;
  const stats = await db
    .collection(collection)
    .aggregate([{ $collStats: { count: {} } }])
    .toArray();
  return stats.filter(({ count }) => count > 0).map(({ shard }) => shard);
}

test('events stored on two shards are delivered once and in the order of their commits', async () => {
  const { expected, subscriptions } = await deliver(EVENTS, async (paths) => {
    for (const path of paths) await emit(gateway, [postUpdated(path)]);
  });
  expect((await shardsOf('events')).length).toBe(2);
  for (const received of subscriptions) expect(received).toEqual(expected);
});

test('the events of one transaction are delivered in the order in which it reports them', async () => {
  const { expected, subscriptions } = await deliver(EVENTS, async (paths) => {
    for (let first = 0; first < EVENTS; first += TOGETHER) {
      await emit(
        gateway,
        paths.slice(first, first + TOGETHER).map((path) => postUpdated(path)),
      );
    }
  });
  for (const received of subscriptions) expect(received).toEqual(expected);
});

let deliveries = 0;

/** The paths that `write` writes, and those that a live subscription receives and one that resumes from before them. */
async function deliver(count: number, write: (paths: readonly string[]) => Promise<void>) {
  deliveries += 1;
  const paths = Array.from({ length: count }, (_, n) => `delivery${deliveries}/${n}`);
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }', { as: 'bob' });
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path } }';
  const live = bob.listen(query, { after });
  await write(paths);
  await live.until(count, 300_000);
  const replayed = bob.listen(query, { after });
  await replayed.until(count, 300_000);
  const subscriptions = [live, replayed].map(({ events, errors }) => {
    expect(errors).toEqual([]);
    return events.map(({ path }) => path);
  });
  return { expected: paths.map((path) => `default/${path}`), subscriptions };
}
