import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, type Document, MongoClient, ObjectId } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { defaultFeedIds } from '../../src/store/migrations/default-feed-ids.ts';
import type { Migration } from '../../src/store/migrations/migration.ts';
import { migrate } from '../../src/store/migrations/run.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freshDatabaseName, openTestStore, type TestStore } from '../support/store.ts';
import { signIn } from './answers.ts';
import { killMigration } from './kill-migration.ts';
import { startOnFolder, unpackWrittenFolder } from './written-folder.ts';

test.skipIf(process.env.MONGODB_URI)(
  'default message feeds of the first release get the ids of their channels, and their earlier ids are accepted',
  async () => {
    const folder = await unpackWrittenFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await startEmbeddedStore({ folder: join(folder, 'store') });
    const client = await MongoClient.connect(store.uri);
    const before = client.db('colloquy');
    const channel = (await before.collection('channels').findOne({ channelId: 'gardeners-chat' }))!;
    const earlier = channel.defaultMessageFeedId as string;
    const messages = await before.collection('messages').find({ messageFeedId: earlier }).toArray();
    const markers = await before.collection('userFeedMarkers').find({ feedId: earlier }).toArray();
    await client.close();
    await store.close();
    expect(messages.length).toBeGreaterThan(0);
    expect(markers.length).toBeGreaterThan(0);

    const gateway = await startOnFolder(folder);
    const { db, collections } = gateway.services.store;
    const id = channel._id.toHexString();
    const path = `default/chat/${id}/${id}`;
    expect(await findInconsistencies(db)).toEqual([]);
    expect(await collections.channels.findOne({ _id: channel._id })).toMatchObject({
      defaultMessageFeedId: id,
      lastSegment: messages.length,
    });
    const feed = await collections.messageFeeds.findOne({ networkId: 'default', messageFeedId: id });
    expect(feed).toMatchObject({ path, isDefault: true, lastSegment: messages.length });
    expect(feed!._id.toHexString()).toBe(earlier);
    const moved = await collections.messages.find({ networkId: 'default', messageFeedId: id }).toArray();
    const byId = (one: { _id: ObjectId }, other: { _id: ObjectId }) => (one._id < other._id ? -1 : 1);
    expect(moved.sort(byId)).toEqual(
      messages
        .map((message) => ({ ...message, messageFeedId: id, path: `${path}/${message.messageId}` }))
        .sort(byId as never),
    );
    const movedMarkers = await collections.userFeedMarkers.find({ networkId: 'default', feedId: id }).toArray();
    expect(movedMarkers.sort(byId)).toEqual(markers.map((marker) => ({ ...marker, feedId: id })).sort(byId as never));

    const token = await signIn(gateway.url, gateway.keys, 'alice');
    for (const named of [earlier, id, 'gardeners-chat']) {
      const response = await fetch(`${gateway.url}/api/v5/messages?messageFeedId=${named}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as { messages: Array<{ messageFeedId: string }> };
      expect(new Set(body.messages.map(({ messageFeedId }) => messageFeedId)), named).toEqual(new Set([id]));
    }
  },
);

describe('the migration of default message feeds', () => {
  let store: TestStore;
  let client: MongoClient;
  let db: Db;
  beforeAll(async () => {
    // The locks of a killed process are released when the lifetime of its transaction is over.
    store = await openTestStore({ transactionLifetimeMs: 2_000 });
    client = await MongoClient.connect(store.uri);
  });
  beforeEach(() => {
    db = client.db(freshDatabaseName());
  });
  afterEach(() => db.dropDatabase());
  afterAll(async () => {
    await client.close();
    await store.close();
  });

  /** A channel with a default and another feed of many messages, as an older release stored it. */
  async function fill(count: number): Promise<{ channelId: ObjectId; other: ObjectId }> {
    const [channelId, first, other] = [new ObjectId(), new ObjectId(), new ObjectId()];
    const channelInternalId = channelId.toHexString();
    const path = `default/chat/${channelInternalId}`;
    await db.collection('networks').insertOne({ networkId: 'default' });
    await db.collection('channels').insertOne({ _id: channelId, defaultMessageFeedId: first.toHexString() });
    for (const [_id, isDefault] of [
      [first, true],
      [other, false],
    ] as const) {
      const messageFeedId = _id.toHexString();
      const feed = {
        messageFeedId,
        channelInternalId,
        isDefault,
        path: `${path}/${messageFeedId}`,
        lastSegment: count,
      };
      await db.collection('messageFeeds').insertOne({ _id, ...feed });
      const messages = Array.from({ length: count }, (_, index) => {
        const messageId = new ObjectId();
        const segment = index + 1;
        return { _id: messageId, messageId: messageId.toHexString(), messageFeedId, segment, path: `${feed.path}/x` };
      });
      await db.collection('messages').insertMany(messages);
      await db.collection('userFeedMarkers').insertOne({ feedId: messageFeedId, userId: 'bob', readToSegment: 3 });
    }
    return { channelId, other };
  }

  it('changes no other feed and continues after any batch that fails', async () => {
    const { channelId, other } = await fill(1_200);
    let batches = 0;
    const failing: Migration = {
      ...defaultFeedIds,
      async run(step) {
        const next = await defaultFeedIds.run(step);
        batches += 1;
        // Every second transaction is aborted after all of its writes.
        if (batches % 2 === 1) throw new Error('power failure');
        return next;
      },
    };
    let failures = 0;
    const attempt = () => migrate({ client, db, migrations: [failing] }).then(() => true);
    while (
      !(await attempt().catch(() => {
        failures += 1;
        return false;
      }))
    );
    expect(failures).toBeGreaterThan(5);
    await expectMoved({ channelId, other, count: 1_200 });
  });

  it('loses nothing if its process is killed in each of its passes', async () => {
    const count = 1_200;
    const feeds = await fill(count);
    const before = await read('messages');
    const unfinished = { uri: store.uri, databaseName: db.databaseName, migration: 'defaultFeedIds' } as const;
    // Five batches of messages, one of markers and one of feeds. A MongoDB server keeps the locks of each killed process
    // for up to a minute.
    await killMigration({ ...unfinished, ...(process.env.MONGODB_URI ? { kills: 2, committed: 3 } : { kills: 6 }) });
    await expectMoved({ ...feeds, count });
    const unmoved = ({ messageFeedId: _, path: __, ...message }: Document) => message;
    expect((await read('messages')).map(unmoved)).toEqual(before.map(unmoved));
  });

  const read = (collection: string) => db.collection(collection).find().sort({ _id: 1 }).hint('_id_').toArray();

  /** Expects the records of {@link fill}, with the new id in the default feed only. */
  async function expectMoved({ channelId, other, count }: { channelId: ObjectId; other: ObjectId; count: number }) {
    const id = channelId.toHexString();
    const counts = async (collection: string, field: string) => {
      const records = await read(collection);
      return [id, other.toHexString()].map((value) => records.filter((record) => record[field] === value).length);
    };
    expect(await counts('messages', 'messageFeedId')).toEqual([count, count]);
    expect(await counts('userFeedMarkers', 'feedId')).toEqual([1, 1]);
    expect(await counts('messageFeeds', 'messageFeedId')).toEqual([1, 1]);
    const channel = { defaultMessageFeedId: id, lastSegment: count };
    expect(await read('channels')).toMatchObject([channel]);
    const paths = new Set((await read('messages')).map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
    expect([...paths].sort()).toEqual([id, other.toHexString()].map((feed) => `default/chat/${id}/${feed}`).sort());
  }
});
