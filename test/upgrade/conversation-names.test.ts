import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { start } from '../../src/start.ts';
import { unpackWrittenFolder } from './written-folder.ts';

const LONG = 'A name as long as names may be '.repeat(4).slice(0, 100);

/** Conversations as an older release stored them: the name, what it is afterwards, and who of the members was deleted. */
const CONVERSATIONS: Array<{ id: string; name: string; now: string; others: object[]; feedName?: string }> = [
  { id: 'named-after', name: 'Bob, Kim', now: '', others: [{ userId: 'kim', displayName: 'Kim' }] },
  { id: 'renamed-since', name: 'Bob, Kim', now: '', others: [{ userId: 'kim', displayName: 'Kimberly' }] },
  { id: 'with-comma', name: 'Bob, Doe, J.', now: '', others: [{ userId: 'doe', displayName: 'Doe, J.' }] },
  { id: 'cut', name: `Bob, ${LONG}`.slice(0, 100), now: '', others: [{ userId: 'long', displayName: LONG }] },
  {
    id: 'deleted',
    name: 'Robert, Old Name',
    now: '',
    others: [{ userId: 'gone', displayName: 'Deleted user', isDeleted: true }],
  },
  { id: 'chosen', name: 'Garden club', now: 'Garden club', others: [{ userId: 'kim', displayName: 'Garden club' }] },
  {
    id: 'chosen-later',
    name: 'Bob, the builder',
    now: 'Bob, the builder',
    others: [{ userId: 'kim', displayName: 'Kim' }],
    feedName: 'Bob, Kim',
  },
  { id: 'unlike', name: 'Seeds, soil', now: 'Seeds, soil', others: [{ userId: 'kim', displayName: 'Kim' }] },
];

test.skipIf(process.env.MONGODB_URI)('drops the stored names of conversations that nobody named', async () => {
  const folder = await unpackWrittenFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  const db = client.db('colloquy');
  const [channel, member, feed] = await Promise.all([
    db.collection('channels').findOne({ channelId: 'alice-and-bob' }),
    db.collection('channelUsers').findOne({ channelId: 'alice-and-bob', userId: 'bob' }),
    db.collection('messageFeeds').findOne({ channelId: 'alice-and-bob', isDefault: true }),
  ]);
  for (const { id: channelId, name, others, feedName = name } of CONVERSATIONS) {
    const defaultMessageFeedId = new ObjectId().toHexString();
    await db
      .collection('channels')
      .insertOne({ ...channel, _id: new ObjectId(), channelId, displayName: name, defaultMessageFeedId });
    await db.collection('messageFeeds').insertOne({
      ...feed,
      _id: new ObjectId(defaultMessageFeedId),
      messageFeedId: defaultMessageFeedId,
      channelId,
      name: feedName,
    });
    for (const other of [{ userId: 'bob', displayName: 'Bob' }, ...others])
      await db.collection('channelUsers').insertOne({ ...member, _id: new ObjectId(), channelId, ...other });
  }
  await client.close();
  await store.close();

  const config = readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', NODE_ENV: 'test' });
  const gateway = await start(config, { embedded: { refuseUnindexed: true } });
  onTestFinished(() => gateway.close());
  const { channels, messageFeeds } = gateway.services.store.collections;
  const stored = await Promise.all(
    CONVERSATIONS.map(async ({ id: channelId }) => {
      const one = (await channels.findOne({ networkId: 'default', channelId }))!;
      const first = await messageFeeds.findOne({ networkId: 'default', messageFeedId: one.defaultMessageFeedId });
      return { id: channelId, name: one.displayName, feed: first!.name };
    }),
  );
  expect(stored).toEqual(CONVERSATIONS.map(({ id, now, feedName = now }) => ({ id, name: now, feed: feedName })));
});
