import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { MUTED_FOREVER } from '../../src/store/records/chat.ts';
import { startOnFolder, unpackWrittenFolder } from './written-folder.ts';

const HOUR_MS = 3_600_000;
const inAnHour = new Date(Date.now() + HOUR_MS);
const anHourAgo = new Date(Date.now() - HOUR_MS);

/** Members of a channel as an older release stored them, and after the upgrade. */
const MEMBERS = {
  alice: [
    { isMuted: true, muteTimeout: inAnHour },
    { isMuted: true, muteTimeout: inAnHour, mutedUntil: inAnHour },
  ],
  bob: [
    { isMuted: true, muteTimeout: null },
    { isMuted: true, muteTimeout: null, mutedUntil: MUTED_FOREVER },
  ],
  carol: [
    { isMuted: true, muteTimeout: anHourAgo },
    { isMuted: false, muteTimeout: null },
  ],
  heidi: [
    { isMuted: false, muteTimeout: null },
    { isMuted: false, muteTimeout: null },
  ],
} as const;

test.skipIf(process.env.MONGODB_URI)('mutes of an older release are listed, and their ends reported', async () => {
  const folder = await unpackWrittenFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  const members = client.db('colloquy').collection('channelUsers');
  for (const [userId, [stored]] of Object.entries(MEMBERS)) {
    const { matchedCount } = await members.updateOne({ channelId: 'gardeners-chat', userId }, { $set: stored });
    expect([userId, matchedCount]).toEqual([userId, 1]);
  }
  await client.close();
  await store.close();

  const gateway = await startOnFolder(folder);
  const { channelUsers, auditEntries } = gateway.services.store.collections;
  for (const [userId, [, expected]] of Object.entries(MEMBERS)) {
    const { isMuted, muteTimeout, mutedUntil } = (await channelUsers.findOne({
      networkId: 'default',
      channelId: 'gardeners-chat',
      userId,
    }))!;
    expect([userId, { isMuted, muteTimeout, ...(mutedUntil && { mutedUntil }) }]).toEqual([userId, expected]);
  }
  // The mute that ended before the upgrade is not reported.
  expect(await auditEntries.countDocuments({ networkId: 'default', action: 'muteChannelMembers' })).toBe(0);
});
