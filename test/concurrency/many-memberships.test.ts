import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandSucceededEvent, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createContext } from '../../src/context.ts';
import { MAX_BATCH } from '../../src/domain/batch.ts';
import { finishInterruptedUsers } from '../../src/domain/user/update-memberships.ts';
import { start } from '../../src/process/start.ts';
import type { Store } from '../../src/store/store.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const MEMBERSHIPS = 1_200;
const FLAGS = 1_200;
/** The maximum number of records that one transaction may write, including events and counters. */
const MAX_WRITES = 3_000;

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
let store: Store;
beforeAll(async () => {
  gateway = await startTestGateway();
  mutate = mutations(gateway);
  store = gateway.services.store;
});
afterAll(() => gateway.close());

const network = { networkId: 'default' };

/** Creates a user with many memberships, in as many new communities and channels. */
async function createJoiner(userId: string, { collections }: Store = store): Promise<void> {
  const { communities, communityUsers, channels, channelUsers, users } = collections;
  const user = (await users.findOne({ ...network, userId: 'bob' }))!;
  const _id = new ObjectId();
  const roles: string[] = [];
  const own = { ...user, _id, userId, path: `default/user/${_id.toHexString()}`, roles, permissions: roles, feeds: [] };
  await users.insertOne(own);
  const community = (await communities.findOne({ ...network, isDeleted: false }))!;
  const { communityId } = community;
  const member = (await communityUsers.findOne({ ...network, communityId, communityMembership: 'member' }))!;
  const channelUser = (await channelUsers.findOne({ ...network, userId: 'bob', membership: 'member' }))!;
  const channel = (await channels.findOne({ ...network, channelId: channelUser.channelId }))!;
  const ids = Array.from({ length: MEMBERSHIPS }, () => new ObjectId());
  const copyOf = <Copied extends { path: string }>(record: Copied, id: ObjectId) => ({
    ...record,
    _id: id,
    path: `${record.path}-${id.toHexString()}`,
  });
  const names = { userId, userInternalId: _id.toHexString(), displayName: user.displayName, roles, permissions: roles };
  await communities.insertMany(
    ids.map((id) => ({
      ...copyOf(community, id),
      communityId: `c${id.toHexString()}`,
      channelId: `h${id.toHexString()}`,
      feeds: [],
      postsCount: 0,
      membersCount: 1,
      moderatorMemberCount: 0,
    })),
  );
  await communityUsers.insertMany(
    ids.map((id) => ({ ...member, ...names, _id: new ObjectId(), communityId: `c${id.toHexString()}` })),
  );
  await channels.insertMany(
    ids.map((id) => ({
      ...copyOf(channel, id),
      channelId: `h${id.toHexString()}`,
      communityId: null,
      attachedTo: null,
      type: 'standard' as const,
      memberCount: 1,
      messageCount: 0,
      lastSegment: 0,
      messagePreviewId: null,
    })),
  );
  await channelUsers.insertMany(
    ids.map((id) => ({
      ...channelUser,
      ...names,
      _id: new ObjectId(),
      channelId: `h${id.toHexString()}`,
      channelInternalId: id.toHexString(),
    })),
  );
}

/** The number of records that each transaction wrote while `work` ran. */
async function writesOf(work: () => Promise<unknown>): Promise<number[]> {
  const written = new Map<string, number>();
  const sessions = new Map<number, string>();
  const onStart = ({ requestId, command }: { requestId: number; command: Record<string, unknown> }) => {
    const lsid = command.lsid as { id: { toString(): string } } | undefined;
    if (command.autocommit === false) sessions.set(requestId, `${lsid?.id} ${command.txnNumber}`);
  };
  const onEnd = ({ requestId, reply, commandName }: CommandSucceededEvent) => {
    const transaction = sessions.get(requestId);
    if (transaction === undefined) return;
    const { n = 0, nInserted = 0, nMatched = 0, nUpserted = 0 } = reply as { [count: string]: number };
    const changed = commandName === 'findAndModify' ? 1 : n + nInserted + nMatched + nUpserted;
    const count = commandName === 'find' || commandName === 'getMore' ? 0 : changed;
    written.set(transaction, (written.get(transaction) ?? 0) + count);
  };
  store.client.on('commandStarted', onStart).on('commandSucceeded', onEnd);
  try {
    await work();
  } finally {
    store.client.off('commandStarted', onStart).off('commandSucceeded', onEnd);
  }
  return [...written.values()];
}

/** Fails every transaction after the first ones, as if the process had ended between them. */
function interruptAfter(transactions: number): { restore(): void } {
  const run = store.transaction;
  let count = 0;
  const spy = vi.spyOn(store, 'transaction').mockImplementation((work, options) => {
    count += 1;
    return count > transactions ? Promise.reject(new Error('interrupted')) : run(work, options);
  });
  return { restore: () => spy.mockRestore() };
}

const namesOf = async (userId: string): Promise<Set<string>> => {
  const { communityUsers, channelUsers } = store.collections;
  const [inCommunities, inChannels] = await Promise.all([
    communityUsers.find({ ...network, userId }).toArray(),
    channelUsers.find({ ...network, userId }).toArray(),
  ]);
  expect([inCommunities.length, inChannels.length]).toEqual([MEMBERSHIPS, MEMBERSHIPS]);
  return new Set([...inCommunities, ...inChannels].map(({ displayName }) => displayName));
};
const unfinished = async () => (await store.collections.networks.findOne(network))!.unfinishedUserIds ?? [];

test('a rename reaches every membership in transactions of bounded size', async () => {
  await createJoiner('joiner-1');
  const writes = await writesOf(() =>
    mutate('joiner-1', 'updateUser', { displayName: 'Renamed' }, 'user { displayName }'),
  );
  expect(await namesOf('joiner-1')).toEqual(new Set(['Renamed']));
  expect(writes.length).toBeGreaterThan(MEMBERSHIPS / MAX_BATCH);
  expect(Math.max(...writes)).toBeLessThanOrEqual(MAX_WRITES);
  expect(await unfinished()).toEqual([]);
});

test('an interrupted rename is completed later, with the current name', async () => {
  await createJoiner('joiner-2');
  await gateway.tokenOf('joiner-2');
  const interruption = interruptAfter(1);
  await gateway.graphql('mutation { updateUser(input: { displayName: "Halfway" }) { __typename } }', {
    as: 'joiner-2',
  });
  interruption.restore();
  expect((await namesOf('joiner-2')).size).toBe(2);
  expect(await unfinished()).toEqual(['joiner-2']);

  await store.collections.users.updateOne({ ...network, userId: 'joiner-2' }, { $set: { displayName: 'Final' } });
  await finishInterruptedUsers(createContext(gateway.services, null), 'default');
  expect(await namesOf('joiner-2')).toEqual(new Set(['Final']));
  expect(await unfinished()).toEqual([]);
});

test('an interrupted deletion ends every membership, and counts and reports each once', async () => {
  await createJoiner('joiner-3');
  await gateway.tokenOf('joiner-3');
  const interruption = interruptAfter(1);
  await gateway.graphql('mutation { deleteUser(input: {}) { __typename } }', { as: 'joiner-3' });
  interruption.restore();
  expect(await unfinished()).toEqual(['joiner-3']);
  const writes = await writesOf(() => finishInterruptedUsers(createContext(gateway.services, null), 'default'));
  expect(Math.max(...writes)).toBeLessThanOrEqual(MAX_WRITES);
  expect(await unfinished()).toEqual([]);

  const { communityUsers, channelUsers, communities, channels, events } = store.collections;
  const own = { ...network, userId: 'joiner-3' };
  expect(await namesOf('joiner-3')).toEqual(new Set(['Deleted user']));
  expect(await communityUsers.countDocuments({ ...own, communityMembership: 'member' })).toBe(0);
  expect(await channelUsers.countDocuments({ ...own, isDeleted: false })).toBe(0);
  const communityIds = (await communityUsers.find(own).toArray()).map(({ communityId }) => communityId);
  const channelIds = (await channelUsers.find(own).toArray()).map(({ channelId }) => channelId);
  const emptied = await communities.find({ ...network, communityId: { $in: communityIds } }).toArray();
  expect(new Set(emptied.map(({ membersCount }) => membersCount))).toEqual(new Set([0]));
  const left = await channels.find({ ...network, channelId: { $in: channelIds } }).toArray();
  expect(new Set(left.map(({ memberCount }) => memberCount))).toEqual(new Set([0]));
  for (const [type, ids] of [
    ['community.left', communityIds],
    ['channel.left', channelIds],
  ] as const) {
    const reported = (await events.find({ ...network, type }).toArray()).map(({ data }) => data);
    const about = reported.flatMap(({ communityId, channelId, userIds }) =>
      (userIds as string[]).includes('joiner-3') ? [(communityId ?? channelId) as string] : [],
    );
    expect(about.sort()).toEqual([...ids].sort());
  }
}, 120_000);

test('a deletion succeeds though a later batch fails, and is completed by the periodic retry under its actor', async () => {
  const own = await startTestGateway({}, { unfinishedUsersMs: 50 });
  onTestFinished(() => own.close());
  const { collections } = own.services.store;
  await createJoiner('joiner-4', own.services.store);
  const run = own.services.store.transaction;
  let failures = 0;
  const spy = vi.spyOn(own.services.store, 'transaction').mockImplementation((work, options) => {
    // Only the transaction of the request has a deadline.
    if (options?.key !== 'user default joiner-4' || options.deadline !== undefined) return run(work, options);
    failures += 1;
    return Promise.reject(new Error('interrupted'));
  });
  const remove = 'mutation { deleteUser(input: { userId: "joiner-4" }) { __typename } }';
  const { data } = await own.graphql(remove, { as: 'admin' });
  expect(data.deleteUser).toEqual({ __typename: 'DeleteUserPayload' });
  const members = { ...network, userId: 'joiner-4', communityMembership: 'member' as const };
  expect(await collections.communityUsers.countDocuments(members)).toBeGreaterThan(0);
  await expect.poll(() => failures, { timeout: 30_000 }).toBeGreaterThan(1);
  spy.mockRestore();

  const note = async () => (await collections.networks.findOne(network))!;
  await expect.poll(note, { timeout: 60_000 }).toMatchObject({ unfinishedUserIds: [], unfinishedDeletions: [] });
  expect(await collections.communityUsers.countDocuments(members)).toBe(0);
  for (const type of ['community.left', 'channel.left'] as const) {
    const reported = await collections.events.find({ ...network, type, 'data.userIds': 'joiner-4' }).toArray();
    expect(reported).toHaveLength(MEMBERSHIPS);
    expect(new Set(reported.map(({ actorId }) => actorId))).toEqual(new Set(['admin']));
  }
}, 120_000);

test('two processes that complete the same deletion count and report each membership once', async () => {
  await createJoiner('joiner-5');
  await gateway.tokenOf('joiner-5');
  const interruption = interruptAfter(1);
  await gateway.graphql('mutation { deleteUser(input: {}) { __typename } }', { as: 'joiner-5' });
  interruption.restore();
  expect(await unfinished()).toEqual(['joiner-5']);
  // Without the turns that transactions of one process take.
  const run = store.transaction;
  const spy = vi.spyOn(store, 'transaction').mockImplementation((work) => run(work));
  const finish = () => finishInterruptedUsers(createContext(gateway.services, null), 'default');
  await Promise.all([finish(), finish()]);
  spy.mockRestore();
  await finish();
  expect(await unfinished()).toEqual([]);
  const { communityUsers, communities, events } = store.collections;
  const communityIds = (await communityUsers.find({ ...network, userId: 'joiner-5' }).toArray()).map(
    (member) => member.communityId,
  );
  const remaining = await communities.find({ ...network, communityId: { $in: communityIds } }).toArray();
  expect(new Set(remaining.map(({ membersCount }) => membersCount))).toEqual(new Set([0]));
  const left = await events.find({ ...network, type: 'community.left', 'data.userIds': 'joiner-5' }).toArray();
  expect(left.map(({ data }) => data.communityId as string).sort()).toEqual(communityIds.sort());
}, 120_000);

/** Creates a post with many flags. */
async function makeFlaggedPost(): Promise<string> {
  const { flags, posts } = store.collections;
  const { post } = await mutate(
    'alice',
    'createPost',
    { targetType: 'USER', targetId: 'alice', data: { text: 'Much flagged' } },
    'post { postId }',
  );
  const postId = post.postId as string;
  const now = new Date();
  await flags.insertMany(
    Array.from({ length: FLAGS }, (_, index) => ({
      ...network,
      referenceType: 'post' as const,
      referenceId: postId,
      _id: new ObjectId(),
      userId: `flagger-${index}`,
      reason: 'Others',
      detail: '',
      createdAt: now,
      updatedAt: now,
    })),
  );
  await posts.updateOne({ ...network, postId }, { $set: { flagCount: FLAGS } });
  await gateway.tokenOf('admin');
  return postId;
}

const clearFlagsOf = (postId: string, key?: string) =>
  gateway.graphql<{ clearPostFlags: { post: { flagCount: number } } }>(
    `mutation ($input: ClearPostFlagsInput!) { clearPostFlags(input: $input) {
      ... on ClearPostFlagsPayload { post { flagCount } } } }`,
    { as: 'admin', variables: { input: { postId, ...(key !== undefined && { clientMutationId: key }) } } },
  );
const flagsOf = (postId: string) =>
  store.collections.flags.countDocuments({ ...network, referenceType: 'post', referenceId: postId });

test('clears many flags in transactions of bounded size, with an exact count after an interruption', async () => {
  const { posts } = store.collections;
  const postId = await makeFlaggedPost();
  const interruption = interruptAfter(1);
  await clearFlagsOf(postId);
  interruption.restore();
  const left = await flagsOf(postId);
  expect(left).toBe(FLAGS - MAX_BATCH);
  expect((await posts.findOne({ ...network, postId }))!.flagCount).toBe(left);

  const writes = await writesOf(async () => {
    const { data } = await clearFlagsOf(postId);
    expect(data.clearPostFlags.post.flagCount).toBe(0);
  });
  expect(Math.max(...writes)).toBeLessThanOrEqual(MAX_WRITES);
  expect(await flagsOf(postId)).toBe(0);
  expect(await posts.findOne({ ...network, postId })).toMatchObject({ flagCount: 0, hashFlag: null });
});

test('clearing many flags continues when it is repeated with the same idempotency key after a batch failed', async () => {
  const { events } = store.collections;
  const postId = await makeFlaggedPost();
  // The transaction of the keyed write, and one batch in it.
  const interruption = interruptAfter(2);
  const failed = await clearFlagsOf(postId, 'clear-1');
  interruption.restore();
  expect(failed.data?.clearPostFlags?.post).toBeUndefined();
  expect(await flagsOf(postId)).toBe(FLAGS - MAX_BATCH);

  for (const _ of ['continued', 'replayed']) {
    const { data } = await clearFlagsOf(postId, 'clear-1');
    expect(data.clearPostFlags.post.flagCount).toBe(0);
    expect(await flagsOf(postId)).toBe(0);
  }
  const reported = await events.find({ ...network, type: 'post.flagsCleared', 'data.postId': postId }).toArray();
  expect(reported).toHaveLength(1);
});

test.skipIf(process.env.MONGODB_URI)(
  'the next start completes the changes that an ended process left unfinished',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const config = readConfig({
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
    });
    const first = await start(config);
    const { users, networks } = first.services.store.collections;
    await users.updateOne({ ...network, userId: 'bob' }, { $set: { displayName: 'Robert' } });
    await networks.updateOne(network, { $set: { unfinishedUserIds: ['bob'] } });
    await first.close();

    const second = await start(config);
    onTestFinished(() => second.close());
    const { communityUsers, channelUsers, networks: after } = second.services.store.collections;
    await expect.poll(async () => (await after.findOne(network))!.unfinishedUserIds, { timeout: 30_000 }).toEqual([]);
    for (const memberships of [communityUsers, channelUsers]) {
      const names = await memberships.distinct('displayName', { ...network, userId: 'bob' });
      expect(names).toEqual(['Robert']);
    }
  },
);
