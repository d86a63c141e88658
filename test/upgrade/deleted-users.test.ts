import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { start } from '../../src/process/start.ts';
import { unpackWrittenFolder } from './written-folder.ts';

test.skipIf(process.env.MONGODB_URI)('users that an older release deleted become anonymous', async () => {
  const folder = await unpackWrittenFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  const db = client.db('colloquy');
  const heidi = { networkId: 'default', userId: 'heidi' };
  const before = (await db.collection('users').findOne(heidi))!;
  await db.collection('users').updateOne(heidi, { $set: { isDeleted: true } });
  await db.collection('channelUsers').updateMany(heidi, { $set: { isDeleted: true } });
  await client.close();
  await store.close();

  const config = readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', NODE_ENV: 'test', RATE_LIMITS: 'off' });
  const gateway = await start(config, { embedded: { refuseUnindexed: true } });
  onTestFinished(() => gateway.close());
  const { users, communityUsers, channelUsers } = gateway.services.store.collections;
  expect(await users.findOne(heidi)).toMatchObject({
    displayName: 'Deleted user',
    description: '',
    avatarFileId: null,
    metadata: {},
    createdAt: before.createdAt,
  });
  const copies = await Promise.all([communityUsers.find(heidi).toArray(), channelUsers.find(heidi).toArray()]);
  expect(copies.flat().length).toBeGreaterThan(0);
  expect(new Set(copies.flat().map(({ displayName }) => displayName))).toEqual(new Set(['Deleted user']));
  expect((await users.findOne({ networkId: 'default', userId: 'bob' }))!.displayName).not.toBe('Deleted user');
});
