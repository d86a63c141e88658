import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Outcome, writeComments } from '../support/comment-writers.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, liveClient } from '../support/live.ts';
import { ask } from '../support/mutate.ts';
import { killShard, readShards, restartShard, type Shard } from '../support/sharded/shards.ts';

const WRITERS = 4;
/** Acknowledged comments before the shard is killed, and after it is back. */
const ENOUGH = 12;
const PATIENCE = { timeout: 300_000, interval: 250 };

let gateway: TestGateway;
let live: LiveClient;
let shards: Shard[];
let primary: string;
beforeAll(async () => {
  gateway = await startTestGateway({ DATABASE_TIMEOUT_MS: '10000', LOG_LEVEL: 'silent' });
  await gateway.tokenOf('carol');
  live = await liveClient(gateway, 'carol');
  const { client, db } = gateway.services.store;
  const databases = client.db('config').collection<{ _id: string; primary: string }>('databases');
  primary = (await databases.findOne({ _id: db.databaseName }))!.primary;
});
afterAll(async () => {
  await live.close();
  await gateway.close();
});

let killed: Shard | undefined;
afterEach(async () => {
  // Other test files use the cluster too.
  if (killed) await restartShard(killed);
  killed = undefined;
});

const read = async () => (await gateway.rest('/api/v3/posts/tomatoes', { as: 'carol' })).status;
const SUBSCRIPTION = 'subscription ($after: String) { commentCreated(after: $after) { cursor comment { commentId } } }';

test.each([
  ['the shard with the unsharded collections', true],
  ['another shard', false],
])('loses no acknowledged write and no event while %s is killed and restarted', async (_, isPrimary) => {
  shards = await readShards(process.env.MONGODB_URI!);
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }', { as: 'carol' });
  const before = live.listen(SUBSCRIPTION, { after });
  const outcomes: Outcome[] = [];
  let isOver = false;
  const writing = writeComments({
    url: gateway.url,
    token: await gateway.tokenOf('carol'),
    writers: WRITERS,
    onOutcome: (outcome) => outcomes.push(outcome) > 0 && isOver,
  });
  const acknowledged = () => outcomes.flatMap(({ commentId }) => commentId ?? []);
  const untilMore = async (count: number) => {
    const enough = acknowledged().length + count;
    await expect.poll(() => acknowledged().length, PATIENCE).toBeGreaterThanOrEqual(enough);
  };
  const refused = () => outcomes.filter(({ status }) => status !== 200);
  try {
    await untilMore(ENOUGH);
    killed = shards.find(({ name }) => (name === primary) === isPrimary)!;
    await killShard(killed);
    await expect.poll(() => refused().length, PATIENCE).toBeGreaterThanOrEqual(WRITERS);
    await restartShard(killed);
    killed = undefined;
    await expect.poll(read, PATIENCE).toBe(200);
    await untilMore(ENOUGH);
  } finally {
    isOver = true;
    await writing;
  }

  for (const { status, retryAfter, message } of refused()) {
    expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(message).not.toMatch(/shard|mongo|127\.0\.0\.1/i);
  }
  const { collections, db } = gateway.services.store;
  const filter = { networkId: 'default', referenceType: 'post' as const, referenceId: 'tomatoes', userId: 'carol' };
  const stored = (await collections.comments.find(filter).toArray()).map(({ commentId }) => commentId);
  expect(stored).toEqual(expect.arrayContaining(acknowledged()));
  expect(new Set(stored).size).toBe(stored.length);
  expect(await findInconsistencies(db)).toEqual([]);

  // The subscription was open throughout; a second one replays the same events in the same order.
  const replayed = live.listen(SUBSCRIPTION, { after });
  const idsOf = (subscription: typeof before): string[] =>
    subscription.events.map(({ comment }) => comment?.commentId).filter(Boolean);
  for (const subscription of [before, replayed]) {
    await expect.poll(() => idsOf(subscription), PATIENCE).toEqual(expect.arrayContaining(acknowledged()));
    expect(new Set(idsOf(subscription)).size).toBe(idsOf(subscription).length);
    expect(subscription.errors).toEqual([]);
  }
  expect(idsOf(replayed)).toEqual(idsOf(before));
  before.stop();
  replayed.stop();
});
