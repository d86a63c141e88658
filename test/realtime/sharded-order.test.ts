import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, liveClient } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

const EVENTS = 70;

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
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }', { as: 'bob' });
  const query = 'subscription ($after: String) { postUpdated(after: $after) { path } }';
  const live = bob.listen(query, { after });
  const paths = Array.from({ length: EVENTS }, (_, n) => `event${n}`);
  for (const path of paths) await emit(gateway, [postUpdated(path)]);
  const expected = paths.map((path) => `default/${path}`);
  await live.until(EVENTS, 300_000);
  const replayed = bob.listen(query, { after });
  await replayed.until(EVENTS, 300_000);
  expect((await shardsOf('events')).length).toBe(2);
  for (const { events, errors } of [live, replayed]) {
    expect(errors).toEqual([]);
    expect(events.map(({ path }) => path)).toEqual(expected);
  }
});
