import { ObjectId } from 'mongodb';
import { expect, test, vi } from 'vitest';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { cacheEvictions } from '../../src/observe/metrics/definitions.ts';
import { readKeysetTogether } from '../../src/store/keyset-batcher.ts';
import { createCachedResults } from '../../src/store/record-cache/cached-results.ts';
import { createRecentChanges, type RecentChanges } from '../../src/store/record-cache/recent-changes.ts';
import { type Selection, selectionOf } from '../../src/store/record-cache/selection.ts';
import type { CommentRecord } from '../../src/store/records/content.ts';
import type { Store } from '../../src/store/store.ts';
import {
  closeCachedStores,
  networkId,
  openCachedStore as open,
  request,
  WAIT,
  whenCaughtUp,
} from '../support/cached-store.ts';

closeCachedStores();

const reads = (sent: string[]) => sent.filter((name) => name === 'find' || name === 'aggregate').length;

/**
 * The result of a read as soon as its session is all that it reads from the database. On a busy machine the cache is
 * behind at times, and is then not used.
 */
function readFromCache<Result>(sent: () => string[], read: () => Promise<Result>): Promise<Result> {
  return vi.waitFor(async () => {
    sent();
    const result = await read();
    expect(reads(sent())).toBe(1);
    return result;
  }, WAIT);
}

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
  const again = await readFromCache(sent, () => commentsOf(store, 'seedlings'));
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
  expect(await readFromCache(sent, lookUp)).toBeNull();
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

test('lists stay known while other posts are commented on and comments get reactions', async () => {
  const { store, other, sent } = await open();
  const [comment] = await warmUp(store, 'seedlings');
  const { comments } = other.collections;
  const added = { ...comment!, _id: new ObjectId(), commentId: 'elsewhere', referenceId: 'another-post' };
  await comments.insertOne(added);
  await comments.updateOne(
    { _id: added._id },
    { $set: { reactionsCount: 3, 'data.text': 'Edited', isDeleted: false } },
  );
  await whenCaughtUp(store.records!);
  expect(idsOf(await readFromCache(sent, () => commentsOf(store, 'seedlings')))).toHaveLength(10);
});

test('each update that moves a record into a list, out of it or within it is in the next list', async () => {
  const { store, other } = await open();
  const before = await warmUp(store, 'seedlings');
  const { comments } = other.collections;
  const moved = { ...before[0]!, _id: new ObjectId(), commentId: 'moved', referenceId: 'another-post' };
  await comments.insertOne({ ...moved, createdAt: new Date(0) });
  const ids = () => commentsOf(store, 'seedlings').then(idsOf);
  const known = idsOf(before);
  for (const [change, expected] of [
    [{ $set: { referenceId: 'seedlings' } }, ['moved', ...known]],
    [{ $set: { createdAt: new Date(9e12) } }, [...known, 'moved']],
    [{ $set: { isDeleted: true } }, known],
    [{ $unset: { isDeleted: '' } }, known],
    [{ $set: { isDeleted: false } }, [...known, 'moved']],
    [{ $rename: { referenceId: 'formerReferenceId' } }, known],
  ] as const) {
    await warmUp(store, 'seedlings');
    await comments.updateOne({ _id: moved._id }, change as never);
    expect(await ids()).toEqual(expected);
  }
  await comments.replaceOne({ _id: moved._id }, { ...moved, referenceId: 'seedlings', createdAt: new Date(0) });
  expect(await ids()).toEqual(['moved', ...known]);
});

const SELECTION: Selection = { collection: 'comments', fields: ['referenceId', 'createdAt'], group: 'post-1' };
const ANY: Selection = { collection: 'reactions', fields: null, group: null };
const inserted = (collection: string, group: string | null = null) =>
  ({ collection, kind: 'insert', fields: [], group }) as const;
const updated = (collection: string, fields: string[]) =>
  ({ collection, kind: 'update', fields, group: null }) as const;
const removed = (collection: string) => ({ collection, kind: 'any', fields: [], group: null }) as const;

test('results stay within their bytes, and a group of absent ids within its own', () => {
  const changes = createRecentChanges();
  const results = createCachedResults(100_000, changes);
  const evicted = cacheEvictions.with('lists');
  const before = evicted.value;
  for (let id = 0; id < 5_000; id += 1) {
    results.addAbsent('group', { selection: ANY, member: `id-${id}`, readAfter: 0 });
    for (let time = 0; time < 2; time += 1)
      results.addList(`list ${id}`, { selection: SELECTION, keys: [`comments/${id}`], readAfter: 0 });
    expect(results.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(results.list('list 4999')).toEqual(['comments/4999']);
  changes.add(removed('comments'), null);
  expect(results.list('list 4999')).toBeUndefined();
  expect(evicted.value - before).toBeGreaterThan(4_000);
});

test('absent ids count with their length, and those longer than any id are not kept', () => {
  const results = createCachedResults(1_000_000, createRecentChanges());
  const isAbsent = (member: string) => results.isAbsent('group', member, () => ANY);
  const add = (member: string) => results.addAbsent('group', { selection: ANY, member, readAfter: 0 });
  const longest = Array.from({ length: 100 }, (_, id) => String(id).padStart(900, 'x'));
  for (const member of [...longest, ...longest]) add(member);
  expect(isAbsent(longest[0]!)).toBe(true);
  expect(results.bytes).toBeGreaterThan(100 * 2 * 900);
  expect(results.bytes).toBeLessThan(1.2 * 100 * 2 * 900);
  add('x'.repeat(901));
  expect(isAbsent('x'.repeat(901))).toBe(false);
});

test('a result that was read before a change of its selection is not kept', () => {
  const changes = createRecentChanges();
  const results = createCachedResults(100_000, changes);
  const isAbsent = (member: string) => results.isAbsent('group', member, () => ANY);
  const readAfter = changes.last;
  changes.add(inserted('reactions'), null);
  results.addAbsent('group', { selection: ANY, member: 'late', readAfter });
  expect(isAbsent('late')).toBe(false);
  results.addAbsent('group', { selection: ANY, member: 'current', readAfter: changes.last });
  expect(isAbsent('current')).toBe(true);
  changes.add(inserted('comments'), null);
  expect(isAbsent('current')).toBe(true);
  changes.addAll();
  expect(isAbsent('current')).toBe(false);
});

test('an absence ends by itself, without the others of its group', () => {
  const changes = createRecentChanges();
  const results = createCachedResults(100_000, changes);
  const selectionOfMember = (member: string): Selection => ({
    collection: 'reactions',
    fields: ['userId'],
    group: member,
  });
  const isAbsent = (member: string) => results.isAbsent('viewer', member, () => selectionOfMember(member));
  for (const member of ['post-1', 'post-2'])
    results.addAbsent('viewer', { selection: selectionOfMember(member), member, readAfter: changes.last });
  changes.add(inserted('reactions', 'post-1'), null);
  expect(['post-1', 'post-2'].map(isAbsent)).toEqual([false, true]);
  results.addAbsent('viewer', { selection: selectionOfMember('post-1'), member: 'post-1', readAfter: changes.last });
  expect(['post-1', 'post-2'].map(isAbsent)).toEqual([true, true]);
});

const CHANGES: ReadonlyArray<readonly [string, Parameters<RecentChanges['add']>[0], boolean]> = [
  ['a record inserted in its group', inserted('comments', 'post-1'), true],
  ['a record inserted in another group', inserted('comments', 'post-2'), false],
  ['a record inserted in an unknown group', inserted('comments'), true],
  ['an update of a field on which it depends', updated('comments', ['text', 'createdAt']), true],
  ['an update of other fields', updated('comments', ['text', 'reactionsCount']), false],
  ['a removed record', removed('comments'), true],
  ['any change of another collection', removed('posts'), false],
];

test.each(CHANGES)('after %s: whether a selection has changed', (_, change, hasChanged) => {
  const changes = createRecentChanges();
  changes.add(inserted('comments', 'post-1'), null);
  const readAfter = changes.last;
  changes.add(change, null);
  expect(changes.hasSelectionChangedSince(SELECTION, readAfter)).toBe(hasChanged);
  expect(changes.hasSelectionChangedSince(SELECTION, changes.last)).toBe(false);
  const anyOf = { ...SELECTION, fields: null, group: null };
  expect(changes.hasSelectionChangedSince(anyOf, readAfter)).toBe(change.collection === 'comments');
});

test('more groups than are remembered count as changed', () => {
  const changes = createRecentChanges();
  const readAfter = changes.last;
  for (let post = 10; post < 10_000; post += 1) changes.add(inserted('comments', `post-${post}`), null);
  expect(changes.hasSelectionChangedSince(SELECTION, readAfter)).toBe(true);
  expect(changes.hasSelectionChangedSince(SELECTION, changes.last)).toBe(false);
});

test('the fields and the group of a filter', () => {
  const time = new Date(0);
  expect(
    selectionOf('comments', { referenceId: 'post-1', 'data.text': 'a', $or: [{ a: 1 }, { $and: [{ 'b.c': 2 }] }] }, [
      'createdAt',
    ]),
  ).toEqual({ collection: 'comments', fields: ['referenceId', 'data', 'a', 'b', 'createdAt'], group: 'post-1' });
  expect(selectionOf('comments', { referenceId: { $in: ['post-1'] }, createdAt: { $lt: time } })).toEqual({
    collection: 'comments',
    fields: ['referenceId', 'createdAt'],
    group: null,
  });
  expect(selectionOf('roles', { networkId: 'n', $expr: { $eq: ['$a', '$b'] } })).toEqual({
    collection: 'roles',
    fields: null,
    group: null,
  });
});
