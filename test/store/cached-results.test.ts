import { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { readKeysetTogether } from '../../src/store/keyset-batcher.ts';
import { createCachedResults } from '../../src/store/record-cache/cached-results.ts';
import { createRecentChanges } from '../../src/store/record-cache/recent-changes.ts';
import type { CommentRecord } from '../../src/store/records/content.ts';
import type { Store } from '../../src/store/store.ts';
import {
  closeCachedStores,
  networkId,
  openCachedStore as open,
  request,
  whenCaughtUp,
} from '../support/cached-store.ts';

closeCachedStores();

const reads = (sent: string[]) => sent.filter((name) => name === 'find' || name === 'aggregate').length;

/** The comments of a post as a request reads them. */
async function commentsOf(store: Store, referenceId: string): Promise<CommentRecord[]> {
  const budget = createReadBudget();
  await request(store, budget);
  return readKeysetTogether<CommentRecord>({
    collection: store.collections.comments,
    filter: { networkId, referenceId, isDeleted: false } as never,
    order: { field: 'createdAt', direction: 1, type: 'date' },
    limit: 20,
    budget,
  });
}

const idsOf = (comments: CommentRecord[]) => comments.map(({ commentId }) => commentId);

/** Reads the list until it is returned without a command. */
async function warmUp(store: Store, referenceId: string): Promise<CommentRecord[]> {
  for (let time = 0; time < 3; time += 1) {
    await commentsOf(store, referenceId);
    await whenCaughtUp(store.records!);
  }
  return commentsOf(store, referenceId);
}

test('a list that is read again is returned without a command, with the same records', async () => {
  const { store, sent } = await open();
  const first = await warmUp(store, 'seedlings');
  expect(first).toHaveLength(10);
  sent();
  const again = await commentsOf(store, 'seedlings');
  expect(reads(sent())).toBe(1);
  expect(again).not.toBe(first);
  for (const [place, comment] of again.entries()) expect(comment).toBe(first[place]);
});

test('each comment that another process adds, edits or deletes is in the next list', async () => {
  const { store, other } = await open();
  const [comment] = await warmUp(store, 'seedlings');
  const { comments } = other.collections;
  const before = idsOf(await commentsOf(store, 'seedlings'));
  for (let round = 0; round < 20; round += 1) {
    const added = { ...comment!, _id: new ObjectId(), commentId: `added-${round}`, createdAt: new Date(9e12 + round) };
    await comments.insertOne(added);
    expect(idsOf(await commentsOf(store, 'seedlings'))).toEqual([...before, added.commentId]);
    await comments.updateOne({ _id: added._id }, { $set: { 'data.text': `Edited ${round}` } });
    expect((await commentsOf(store, 'seedlings')).at(-1)?.data).toMatchObject({ text: `Edited ${round}` });
    await comments.updateOne({ _id: added._id }, { $set: { isDeleted: true } });
    expect(idsOf(await commentsOf(store, 'seedlings'))).toEqual(before);
    await comments.deleteOne({ _id: added._id });
    expect(idsOf(await commentsOf(store, 'seedlings'))).toEqual(before);
  }
});

test('a list that is read once adds no record to the cache, nor does a long one', async () => {
  const { store, records } = await open();
  await request(store);
  await whenCaughtUp(records);
  const before = records.status().records;
  await commentsOf(store, 'seedlings');
  expect(records.status().records).toBe(before);
  await warmUp(store, 'seedlings');
  expect(records.status().records).toBe(before + 10);

  const [member] = await store.collections.channelUsers.find({ networkId }).limit(1).toArray();
  const members = Array.from({ length: 61 }, (_, index) => ({
    ...member!,
    _id: new ObjectId(),
    channelId: 'crowded',
    userId: `crowd-${index}`,
  }));
  await store.collections.channelUsers.insertMany(members);
  for (let time = 0; time < 3; time += 1) {
    await whenCaughtUp(records);
    expect(await (await request(store)).channelMembers.load(['crowded', member!.membership])).toHaveLength(61);
  }
  expect(records.status().records).toBe(before + 10);
});

test('lists of different pages and posts are kept apart', async () => {
  const { store } = await open();
  const seedlings = await warmUp(store, 'seedlings');
  const tomatoes = await warmUp(store, 'tomatoes');
  expect(new Set(tomatoes.map(({ referenceId }) => referenceId))).toEqual(new Set(['tomatoes']));
  expect(idsOf(await commentsOf(store, 'seedlings'))).toEqual(idsOf(seedlings));
});

test('a request over its budget is refused for a cached list as for one that is read', async () => {
  const { store } = await open();
  await warmUp(store, 'seedlings');
  const budget = createReadBudget();
  await request(store, budget);
  const list = () =>
    readKeysetTogether<CommentRecord>({
      collection: store.collections.comments,
      filter: { networkId, referenceId: 'seedlings', isDeleted: false } as never,
      order: { field: 'createdAt', direction: 1, type: 'date' },
      limit: 20,
      budget,
    });
  const readUntilRefused = async () => {
    for (;;) await list();
  };
  await expect(readUntilRefused()).rejects.toMatchObject({ errorName: 'TOO_LARGE' });
});

test('a reaction that does not exist is looked up once, until one is added', async () => {
  const { store, other, sent } = await open();
  const [reaction] = await other.collections.reactions.find({ networkId }).limit(1).toArray();
  const key = ['judy', 'never-liked'] as const;
  const lookUp = async () => (await request(store)).myReactions.load(key);
  expect(await lookUp()).toBeNull();
  await whenCaughtUp(store.records!);
  sent();
  expect(await lookUp()).toBeNull();
  expect(reads(sent())).toBe(1);
  for (let round = 0; round < 20; round += 1) {
    const added = { ...reaction!, _id: new ObjectId(), userId: key[0], referenceId: key[1], reactionId: `r-${round}` };
    await other.collections.reactions.insertOne(added);
    expect((await lookUp())?.map(({ reactionId }) => reactionId)).toEqual([added.reactionId]);
    expect(await lookUp()).toHaveLength(1);
    await other.collections.reactions.deleteOne({ _id: added._id });
    expect(await lookUp()).toBeNull();
  }
});

test('own writes apply to the next list of the same request', async () => {
  const { store } = await open();
  const before = await warmUp(store, 'seedlings');
  for (let round = 0; round < 10; round += 1) {
    const added = { ...before[0]!, _id: new ObjectId(), commentId: `own-${round}`, createdAt: new Date(9e12 + round) };
    await store.transaction((session) => store.collections.comments.insertOne({ ...added }, { session }));
    expect(await commentsOf(store, 'seedlings')).toHaveLength(11 + round);
  }
});

test('results stay within their bytes, and a group of absent ids within its own', () => {
  const changes = createRecentChanges();
  const results = createCachedResults(100_000, changes);
  for (let id = 0; id < 5_000; id += 1) {
    results.addAbsent('group', { collection: 'reactions', member: `id-${id}`, readAfter: 0 });
    for (let time = 0; time < 2; time += 1)
      results.addList(`list ${id}`, { collection: 'comments', keys: [`comments/${id}`], readAfter: 0 });
    expect(results.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(results.list('list 4999')).toEqual(['comments/4999']);
  changes.add('comments', null);
  expect(results.list('list 4999')).toBeUndefined();
});

test('a result that was read before a change of its collection is not kept', () => {
  const changes = createRecentChanges();
  const results = createCachedResults(100_000, changes);
  const readAfter = changes.last;
  changes.add('reactions', null);
  results.addAbsent('group', { collection: 'reactions', member: 'late', readAfter });
  expect(results.isAbsent('group', 'late')).toBe(false);
  results.addAbsent('group', { collection: 'reactions', member: 'current', readAfter: changes.last });
  expect(results.isAbsent('group', 'current')).toBe(true);
  changes.add('comments', null);
  expect(results.isAbsent('group', 'current')).toBe(true);
  changes.addAll();
  expect(results.isAbsent('group', 'current')).toBe(false);
});
