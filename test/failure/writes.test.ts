import type { ClientSession, Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';
import type { TestGateway } from '../support/gateway.ts';

/** Each fault occurs twice. */
const ROUNDS = 16;

let faulty: FaultyGateway;
let gateway: TestGateway;
let store: Store;
beforeAll(async () => {
  faulty = await startFaultyGateway({ DATABASE_TIMEOUT_MS: process.env.MONGODB_URI ? '8000' : '3000' });
  gateway = faulty.gateway;
  store = gateway.services.store;
  for (const user of ['alice', 'bob', 'carol', 'heidi']) await gateway.tokenOf(user);
});
afterAll(() => faulty.close());

/** An effect that calls create and remove; `count` reads from the database how often it exists. */
interface Toggle {
  name: string;
  as: string;
  on: { method: string; path: string; body?: object };
  off: { method: string; path: string; body?: object };
  /** How often the effect exists: 0 or 1; 2 if it was applied twice. */
  count: () => Promise<number>;
  /** Statuses of a call whose effect exists already. */
  already?: number[];
}

const networkId = 'default';
const flagsOf = (filter: Document) => store.collections.flags.countDocuments({ networkId, ...filter });
const message = CHAT.message('i-water');
const community = '/api/v4/communities/gardeners/users/roles';
const channel = '/api/v3/channels/gardeners-chat/users/roles';
const pin = '/api/v1/pinned-posts/communities/gardeners/announcement/tomatoes';

const TOGGLES: Toggle[] = [
  {
    name: 'flag on a post',
    as: 'carol',
    on: { method: 'POST', path: '/api/v3/posts/seedlings/flag', body: { reason: 'Others' } },
    off: { method: 'DELETE', path: '/api/v3/posts/seedlings/unflag' },
    count: () => flagsOf({ referenceType: 'post', referenceId: 'seedlings', userId: 'carol' }),
  },
  {
    name: 'role in a community',
    as: 'alice',
    on: { method: 'POST', path: community, body: { roles: ['community-moderator'], userIds: ['carol'] } },
    off: { method: 'DELETE', path: community, body: { roles: ['community-moderator'], userIds: ['carol'] } },
    count: () => countRole('communityUsers', { communityId: 'gardeners' }, 'community-moderator'),
  },
  {
    name: 'role in a channel',
    as: 'alice',
    on: { method: 'POST', path: channel, body: { role: 'channel-moderator', userIds: ['carol'] } },
    off: { method: 'DELETE', path: channel, body: { role: 'channel-moderator', userIds: ['carol'] } },
    count: () => countRole('channelUsers', { channelId: 'gardeners-chat' }, 'channel-moderator'),
  },
  {
    name: 'pin',
    as: 'alice',
    on: { method: 'POST', path: pin },
    off: { method: 'DELETE', path: pin },
    count: () =>
      store.collections.pins.countDocuments({ networkId, referenceId: 'tomatoes', placement: 'announcement' }),
    already: [400, 404],
  },
  {
    name: 'reading',
    as: 'bob',
    on: { method: 'POST', path: '/api/v1/markers/message-feeds/reading', body: { messageFeedIds: [CHAT.feed] } },
    off: { method: 'POST', path: `/api/v1/markers/message-feeds/${CHAT.feed}/stop-reading` },
    count: () =>
      store.collections.userFeedMarkers.countDocuments({
        networkId,
        userId: 'bob',
        feedId: CHAT.feed,
        readingUntil: { $ne: null },
      }),
  },
];

async function countRole(name: 'communityUsers' | 'channelUsers', place: Document, role: string): Promise<number> {
  const member = await store.db.collection(name).findOne({ networkId, userId: 'carol', ...place });
  return (member!.roles as string[]).filter((held) => held === role).length;
}

/** Repeatable calls, whose counters are checked. */
const REPEATED = [
  { as: 'heidi', method: 'POST', path: `/api/v5/messages/${message}/flags`, body: { reason: 'Others' } },
  {
    as: 'heidi',
    method: 'PUT',
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/mark-read`,
    body: { readToSegment: 5 },
  },
  {
    as: 'heidi',
    method: 'PUT',
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/mark-delivering`,
    body: { messageId: CHAT.message('meeting') },
  },
];

const isWrite = (name: string) => /^(insert|update|delete|findAndModify)$/.test(name);
const isCommit = (name: string) => name === 'commitTransaction';

/**
 * The faults of a round: commits and writes are cut before and after they take effect, once, a few times, or until the
 * requests have failed.
 */
function faultOf(round: number) {
  return {
    command: round % 3 === 2 ? isWrite : isCommit,
    when: round % 4 === 3 ? ('before' as const) : ('after' as const),
    times: [1, 2, 5, Number.POSITIVE_INFINITY][round % 4]!,
  };
}

async function waitUntilServed(): Promise<void> {
  faulty.proxy.cutNext({ command: () => false, when: 'before' });
  await expect
    .poll(async () => (await gateway.rest('/api/v3/posts/seedlings')).status, { timeout: 60_000, interval: 100 })
    .toBe(200);
}

test('applies a successful write once and a write answered 503 at most once, with correct counters', async () => {
  const seen = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const isOn = round % 2 === 0;
    faulty.proxy.cutNext(faultOf(Math.floor(round / 2)));
    const [toggled] = await Promise.all([
      Promise.all(
        TOGGLES.map(async (toggle) => {
          const { path, ...call } = isOn ? toggle.on : toggle.off;
          return { toggle, ...(await gateway.rest(path, { as: toggle.as, ...call })) };
        }),
      ),
      ...REPEATED.map(async ({ path, ...call }) => {
        const { status } = await gateway.rest(path, call);
        expect([200, 503]).toContain(status);
      }),
    ]);
    await waitUntilServed();
    for (const { toggle, status, headers } of toggled) {
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const count = await toggle.count();
      const where = `${toggle.name} ${isOn ? 'on' : 'off'}, round ${round}`;
      if (status === 200) expect(count, where).toBe(isOn ? 1 : 0);
      else if (status === 503) expect([0, 1], where).toContain(count);
      else {
        expect(toggle.already, where).toContain(status);
        expect(count, where).toBe(isOn ? 1 : 0);
      }
      if (status === 503) expect(headers.get('retry-after')).toBe('2');
    }
  }
  expect(await findInconsistencies(store.db)).toEqual([]);
  // Both outcomes occurred.
  expect(seen.get(200)).toBeGreaterThan(5);
  expect(seen.get(503) ?? 0).toBeGreaterThan(0);
}, 240_000);

test('applies a transaction once, even when its replies are lost', async () => {
  const counters = store.db.collection<{ _id: string; n: number }>('failureCounters');
  await counters.insertOne({ _id: 'transactions', n: 0 });
  const outcomes = { done: 0, unconfirmed: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    faulty.proxy.cutNext(faultOf(round));
    await Promise.all(
      [0, 1, 2].map((index) =>
        store
          .transaction(
            async (session) => {
              await counters.insertOne({ _id: `${round}/${index}`, n: 1 }, { session });
              await counters.updateOne({ _id: 'transactions' }, { $inc: { n: 1 } }, { session });
            },
            { key: 'transactions' },
          )
          .then(
            () => {
              outcomes.done += 1;
            },
            () => {
              outcomes.unconfirmed += 1;
            },
          ),
      ),
    );
  }
  await waitUntilServed();
  const { n } = (await counters.findOne({ _id: 'transactions' }))!;
  expect(await counters.countDocuments({ _id: { $lt: 'a' } })).toBe(n);
  expect(n).toBeGreaterThanOrEqual(outcomes.done);
  expect(n).toBeLessThanOrEqual(outcomes.done + outcomes.unconfirmed);
  expect(outcomes.done).toBeGreaterThan(5);
}, 240_000);

test('applies a write outside of transactions once', async () => {
  const counters = store.db.collection<{ _id: string; n: number }>('failureCounters');
  await counters.insertOne({ _id: 'writes', n: 0 });
  for (let round = 1; round <= 10; round += 1) {
    const cut = faulty.proxy.cutNext({ command: isWrite, when: 'after' });
    await counters.updateOne({ _id: 'writes' }, { $inc: { n: 1 } });
    expect(cut()).toBe(1);
    expect((await counters.findOne({ _id: 'writes' }))!.n).toBe(round);
  }
}, 120_000);

/** Ten concurrent writers, so that the first broken connection is noticed while other writes are in progress. */
const WRITERS = Array.from({ length: 10 }, (_, index) => index);

/** Breaks every connection once all writers have sent a command, some of them before and some after it took effect. */
async function cutWhenSent(command: string): Promise<void> {
  let sent = 0;
  const { client } = store;
  const note = ({ commandName }: { commandName: string }) => {
    if (commandName === command) sent += 1;
  };
  client.on('commandStarted', note);
  faulty.proxy.set({ delayMs: 300 });
  await expect.poll(() => sent, { timeout: 30_000, interval: 10 }).toBe(WRITERS.length);
  await new Promise((later) => setTimeout(later, 200));
  client.off('commandStarted', note);
  faulty.proxy.set('none');
  faulty.proxy.cut();
}

test.each(['update', 'insert', 'commitTransaction'])(
  'applies each write once when all connections break: %s',
  async (command) => {
    const counters = store.db.collection<{ _id: string; n: number }>('failureCounters');
    const _id = (index: number) => `${command} ${index}`;
    const writes: Record<string, (index: number) => Promise<unknown>> = {
      update: (index) => counters.updateOne({ _id: _id(index) }, { $inc: { n: 1 } }),
      insert: (index) => store.transaction((session) => insert(index, session)),
      commitTransaction: (index) => store.transaction((session) => insert(index, session)),
    };
    const insert = (index: number, session: ClientSession) =>
      counters.insertOne({ _id: _id(index), n: 1 }, { session });
    if (command === 'update') await counters.insertMany(WRITERS.map((index) => ({ _id: _id(index), n: 0 })));
    // Each writer has a connection before any breaks.
    await Promise.all(WRITERS.map((index) => counters.findOne({ _id: _id(index) })));

    const written = Promise.allSettled(WRITERS.map(writes[command]!));
    await cutWhenSent(command);
    expect((await written).filter(({ status }) => status === 'rejected')).toEqual([]);
    const counts = await counters.find({ _id: { $in: WRITERS.map(_id) } }).toArray();
    expect(counts.map(({ n }) => n)).toEqual(WRITERS.map(() => 1));
  },
);

const FLAG = '/api/v3/posts/grafting/flag';
const unconfirmed = expect.stringMatching(/did not confirm whether/);

test('reports that a change may have been applied when the commit is not confirmed', async () => {
  const flag = () => gateway.rest(FLAG, { as: 'carol', method: 'POST', body: { reason: 'Others' } });
  faulty.proxy.cutNext({ command: isCommit, when: 'after', times: 1_000 });
  expect(await flag()).toMatchObject({ status: 503, body: { message: unconfirmed } });
  await waitUntilServed();
  // An earlier commit may still be in progress. The next call waits for it, and only the latter's commit is cut.
  await store.transaction(async () => undefined, { key: 'post default grafting' });
  // The same answer if the database is unavailable before the commit can be retried.
  const cut = faulty.proxy.cutNext({ command: isCommit, when: 'after', times: 1_000 });
  const asked = flag();
  await expect.poll(cut, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
  await faulty.proxy.refuse();
  const { status, body } = await asked;
  await faulty.proxy.accept();
  await waitUntilServed();
  expect([status, body.message]).toEqual([503, unconfirmed]);
  expect(await flagsOf({ referenceId: 'grafting', userId: 'carol' })).toBe(1);
});
