import { randomUUID } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { expect, test, vi } from 'vitest';
import type { BatchSource } from '../../src/store/batcher.ts';
import type { Records } from '../../src/store/collections.ts';
import { createLoaders } from '../../src/store/loaders.ts';
import { type ChangeFeed, type OpenChangeFeed, openChangeFeed } from '../../src/store/record-cache/change-feed.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import {
  closeCachedStores,
  closers,
  location,
  networkId,
  openCachedStore as open,
  request,
  WAIT,
  whenCaughtUp,
  whenOpen,
} from '../support/cached-store.ts';

closeCachedStores();

async function reachOf(store: Store, postId: string): Promise<unknown> {
  const post = await (await request(store)).posts.load(postId);
  return post?.reach;
}

/** A feed whose batches are held while `isHeld`, and that fails when `failure` is set. */
function controlledFeed() {
  let held: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  const control = {
    failure: null as Error | null,
    opened: 0,
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
  const opener: OpenChangeFeed = async (client, db) => {
    const feed = await openChangeFeed(client, db);
    control.opened += 1;
    return (
      feed && {
        ...feed,
        async next() {
          const batch = await feed.next();
          await held;
          if (control.failure) throw control.failure;
          return batch;
        },
      }
    );
  };
  return { control, openChangeFeed: opener };
}

test('returns an unchanged record as the same object without a command', async () => {
  const { store, sent } = await open();
  const first = await (await request(store)).posts.load('seedlings');
  expect(first?.postId).toBe('seedlings');
  // The session; and possibly changes, for which a request does not wait long enough on a busy machine.
  const findsAgain = async () => {
    await whenCaughtUp(store.records!);
    sent();
    expect(await (await request(store)).posts.load('seedlings')).toBe(first);
    return sent().filter((name) => name === 'find').length;
  };
  await expect.poll(findsAgain, WAIT).toBe(1);
});

test('sees each write of another process that was acknowledged before the request began', async () => {
  const { store, other } = await open();
  for (let reach = 0; reach < 30; reach += 1) {
    await other.collections.posts.updateOne({ networkId, postId: 'seedlings' }, { $set: { reach } });
    expect(await reachOf(store, 'seedlings')).toBe(reach);
    expect(await reachOf(store, 'seedlings')).toBe(reach);
  }
});

test('sees its own writes and transactions within a request', async () => {
  const { store } = await open();
  const filter = { networkId, postId: 'seedlings' };
  for (let reach = 0; reach < 30; reach += 1) {
    await reachOf(store, 'seedlings');
    await store.batchers.sessions.load(networkId, 'no session');
    const change = { $set: { reach } };
    if (reach % 2 === 0) await store.collections.posts.updateOne(filter, change);
    else await store.transaction((session) => store.collections.posts.updateOne(filter, change, { session }));
    const load = createLoaders(store.batchers, networkId, null, store.records);
    expect((await load.posts.load('seedlings'))?.reach).toBe(reach);
  }
});

test('does not keep a record whose change was applied while it was being read', async () => {
  const { store, records } = await open();
  const post = (await store.collections.posts.findOne({ networkId, postId: 'seedlings' }))!;
  let answer: () => void = () => undefined;
  const slow: BatchSource<string, Records['posts']> = {
    collection: 'posts',
    keyOf: (key) => key,
    fetch: () =>
      new Promise((resolve) => {
        answer = () => resolve(new Map([['seedlings', post]]));
      }),
  };
  const source = records.cached('posts', slow);
  const reading = source.fetch(networkId, ['seedlings']);
  await store.collections.posts.updateOne({ _id: post._id }, { $set: { reach: 1_000 } });
  await whenCaughtUp(records);
  answer();
  await reading;
  expect(source.peek!(networkId, 'seedlings')).toBeUndefined();

  const later = source.fetch(networkId, ['seedlings']);
  answer();
  await later;
  expect(source.peek!(networkId, 'seedlings')).toBe(post);
});

test('does not keep a record that was read through a feed that was lost meanwhile', async () => {
  const { control, openChangeFeed: opener } = controlledFeed();
  const { store, records } = await open({ openChangeFeed: opener });
  const post = (await store.collections.posts.findOne({ networkId, postId: 'seedlings' }))!;
  let answer: () => void = () => undefined;
  const source = records.cached('posts', {
    collection: 'posts',
    keyOf: (key: string) => key,
    fetch: () =>
      new Promise((resolve) => {
        answer = () => resolve(new Map([['seedlings', post]]));
      }),
  });
  const reading = source.fetch(networkId, ['seedlings']);
  await loseFeed(store, control);
  await whenOpen(store);
  answer();
  await reading;
  expect(source.peek!(networkId, 'seedlings')).toBeUndefined();
});

async function loseFeed(store: Store, control: { failure: Error | null }): Promise<void> {
  control.failure = new Error('cut');
  await store.collections.posts.updateOne({ networkId, postId: 'tomatoes' }, { $inc: { impression: 1 } });
  await store.records!.whenFresh();
  await vi.waitFor(() => expect(store.records!.status().isOpen).toBe(false), WAIT);
  control.failure = null;
}

test('reads the database while the feed stalls, and continues with what the feed then reports', async () => {
  const { control, openChangeFeed: opener } = controlledFeed();
  const { store, other, records } = await open({ openChangeFeed: opener });
  await reachOf(store, 'seedlings');
  control.hold();
  for (let reach = 100; reach < 105; reach += 1) {
    await other.collections.posts.updateOne({ networkId, postId: 'seedlings' }, { $set: { reach } });
    expect(await reachOf(store, 'seedlings')).toBe(reach);
    expect(records.isFresh()).toBe(false);
  }
  control.release();
  await whenCaughtUp(records);
  expect(await reachOf(store, 'seedlings')).toBe(104);
});

test('is emptied when it has lacked known changes for a second', async () => {
  const { control, openChangeFeed: opener } = controlledFeed();
  const { store, records } = await open({ openChangeFeed: opener });
  await reachOf(store, 'seedlings');
  expect(records.status().records).toBeGreaterThan(0);
  control.hold();
  await store.collections.posts.updateOne({ networkId, postId: 'tomatoes' }, { $inc: { impression: 1 } });
  await vi.waitFor(async () => {
    await records.whenFresh();
    expect(records.status().records).toBe(0);
  }, WAIT);
  control.release();
});

test('is emptied when its feed is lost, and follows a new one', async () => {
  const { control, openChangeFeed: opener } = controlledFeed();
  const { store, other, records } = await open({ openChangeFeed: opener });
  await reachOf(store, 'seedlings');
  expect(records.status().records).toBeGreaterThan(0);
  await loseFeed(store, control);
  expect(records.status()).toMatchObject({ records: 0, bytes: 0 });
  await other.collections.posts.updateOne({ networkId, postId: 'seedlings' }, { $set: { reach: 7 } });
  expect(await reachOf(store, 'seedlings')).toBe(7);
  await whenOpen(store);
  await whenCaughtUp(records);
  expect(control.opened).toBe(2);
  expect(await reachOf(store, 'seedlings')).toBe(7);
  await other.collections.posts.updateOne({ networkId, postId: 'seedlings' }, { $set: { reach: 8 } });
  expect(await reachOf(store, 'seedlings')).toBe(8);
});

test('is emptied when a collection is dropped', async () => {
  const { store, other, records } = await open();
  await reachOf(store, 'seedlings');
  await other.db.collection('posts').drop();
  expect(await reachOf(store, 'seedlings')).toBeUndefined();
  await whenCaughtUp(records);
  expect(records.status().records).toBe(0);
});

test('never returns a file that was deleted', async () => {
  const { store, other } = await open();
  const file = (await other.collections.files.findOne({ networkId, isDeleted: { $ne: true } }))!;
  expect((await (await request(store)).files.load(file.fileId))?.fileId).toBe(file.fileId);
  await other.collections.files.updateOne({ _id: file._id }, { $set: { isDeleted: true } });
  expect(await (await request(store)).files.load(file.fileId)).toBeNull();
  await other.collections.files.updateOne({ _id: file._id }, { $set: { isDeleted: false } });
  expect((await (await request(store)).files.load(file.fileId))?.fileId).toBe(file.fileId);
});

test('finds a record by each of its keys, and none by a key that it no longer has', async () => {
  const { store, other } = await open();
  const user = (await other.collections.users.findOne({ networkId, userId: 'bob' }))!;
  const load = await request(store);
  const byId = await load.users.load('bob');
  expect(await load.usersByInternalId.load(user._id.toHexString())).toBe(byId);
  await other.collections.users.updateOne({ _id: user._id }, { $set: { userId: 'robert' } });
  const later = await request(store);
  expect(await later.users.load('bob')).toBeNull();
  expect((await later.users.load('robert'))?._id).toEqual(user._id);
});

test('keeps records of different networks apart', async () => {
  const { store, other } = await open();
  await reachOf(store, 'seedlings');
  await other.collections.posts.findOne({ networkId });
  await store.batchers.sessions.load('elsewhere', 'no session');
  const load = createLoaders(store.batchers, 'elsewhere', null, store.records);
  expect(await load.posts.load('seedlings')).toBeNull();
});

test('returns records with the permissions of their roles, as the same object while both are unchanged', async () => {
  const { store, other } = await open();
  await other.collections.roles.insertOne({
    _id: new ObjectId(),
    networkId,
    roleId: 'gardener',
    displayName: 'Gardener',
    permissions: ['EDIT_USER'],
    isDeleted: false,
    createdAt: new Date(),
    updatedAt: new Date(),
  } as never);
  await other.collections.users.updateOne({ networkId, userId: 'bob' }, { $set: { roles: ['gardener'] } });
  await reachOf(store, 'seedlings');
  await whenCaughtUp(store.records!);
  const bob = await (await request(store)).users.load('bob');
  expect(bob?.permissions).toEqual(['EDIT_USER']);
  expect(await (await request(store)).users.load('bob')).toBe(bob);
  await other.collections.roles.updateOne({ networkId, roleId: 'gardener' }, { $set: { permissions: [] } });
  expect((await (await request(store)).users.load('bob'))?.permissions).toEqual([]);
});

test('stays within its bytes', async () => {
  const { store, records, other } = await open({ cacheMb: 1 });
  const [post] = await other.collections.posts.find({ networkId }).limit(1).toArray();
  const posts = Array.from({ length: 300 }, () => ({
    ...post!,
    _id: new ObjectId(),
    postId: randomUUID(),
    metadata: { text: 'x'.repeat(2_000) },
  }));
  await other.collections.posts.insertMany(posts);
  await whenCaughtUp(records);
  const load = await request(store);
  await Promise.all(posts.map(({ postId }) => load.posts.load(postId)));
  const { bytes, records: kept } = records.status();
  expect(bytes).toBeLessThanOrEqual(1_048_576);
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(300);
  const next = await request(store);
  const again = await Promise.all(posts.map(({ postId }) => next.posts.load(postId)));
  expect(again.map((found) => found!.postId)).toEqual(posts.map(({ postId }) => postId));
});

test('does not exist with CACHE_MB=0, and is not used without a read of the request', async () => {
  const { store, sent } = await open();
  await reachOf(store, 'seedlings');
  sent();
  await createLoaders(store.batchers, networkId, null).posts.load('seedlings');
  expect(sent()).toContain('find');
  const { uri, databaseName } = await location();
  const without = await openStore({ uri, databaseName, cacheMb: 0 });
  closers.push(() => without.close());
  expect(without.records).toBeNull();
  expect(without.batchers.posts.peek).toBeUndefined();
});

test('is not used if reads may go to secondaries', async () => {
  const { uri, databaseName } = await location();
  let opened = 0;
  const separator = uri.includes('?') ? '&' : '?';
  const store = await openStore({
    uri: `${uri}${separator}readPreference=primaryPreferred`,
    databaseName,
    cacheMb: 8,
    openChangeFeed: async (client, db) => {
      opened += 1;
      return openChangeFeed(client, db);
    },
  });
  closers.push(() => store.close());
  await reachOf(store, 'seedlings');
  expect(opened).toBe(0);
  expect(store.records!.isFresh()).toBe(false);
  expect(store.records!.status().isOpen).toBe(false);
});

test('is not used where the times of replies are not comparable', async () => {
  const { store, records } = await openWith(async () => null);
  await reachOf(store, 'seedlings');
  await reachOf(store, 'seedlings');
  expect(records.status()).toMatchObject({ isOpen: false, records: 0 });
});

async function openWith(opener: OpenChangeFeed) {
  const { uri, databaseName } = await location();
  const store = await openStore({ uri, databaseName, cacheMb: 8, openChangeFeed: opener });
  closers.push(() => store.close());
  return { store, records: store.records! };
}

test('the feed reports all changes of a large transaction with the position of its time', async () => {
  const { store, other } = await open();
  const feed = (await openChangeFeed(other.client, other.db)) as ChangeFeed;
  const _ids = Array.from({ length: 1_500 }, () => new ObjectId());
  const { posts } = store.collections;
  const documents = _ids.map((_id) => ({ _id, networkId, postId: _id.toHexString() }) as never);
  await store.transaction((session) => posts.insertMany(documents, { session }));
  await store.batchers.sessions.load(networkId, 'no session');
  await whenCaughtUp(store.records!);
  const reported: string[] = [];
  const seen = store.records!.status().position;
  for (let position = feed.start; position < seen; ) {
    const batch = await feed.next();
    reported.push(...batch.changes.map(({ id }) => String(id)));
    position = batch.position;
  }
  expect(_ids.filter((id) => !reported.includes(id.toHexString()))).toEqual([]);
  feed.close();
});
