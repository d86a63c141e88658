import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { startOnFolder, unpackWrittenFolder } from './written-folder.ts';

/** Settings of communities as an older release stored them, and whether they can still be found. */
const COMMUNITIES = {
  public: [{ isPublic: true, requiresJoinApproval: false }, true],
  private: [{ isPublic: false, requiresJoinApproval: false }, false],
  'takes-requests': [{ isPublic: false, requiresJoinApproval: true }, true],
} as const;

test.skipIf(process.env.MONGODB_URI)(
  'private communities of an older release can be found only if they take join requests',
  async () => {
    const folder = await unpackWrittenFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await startEmbeddedStore({ folder: join(folder, 'store') });
    const client = await MongoClient.connect(store.uri);
    const communities = client.db('colloquy').collection('communities');
    const { _id, ...gardeners } = (await communities.findOne({ communityId: 'gardeners' }))!;
    expect(gardeners.isDiscoverable).toBe(true);
    await communities.insertMany(
      Object.entries(COMMUNITIES).map(([communityId, [settings]]) => ({
        ...gardeners,
        ...settings,
        _id: new ObjectId(),
        communityId,
        channelId: `${communityId}-chat`,
      })),
    );
    await client.close();
    await store.close();

    const gateway = await startOnFolder(folder);
    const isDiscoverable = async (communityId: string) => {
      const found = await gateway.services.store.collections.communities.findOne({ networkId: 'default', communityId });
      return found!.isDiscoverable;
    };
    for (const [communityId, [, expected]] of Object.entries(COMMUNITIES))
      expect(await isDiscoverable(communityId), communityId).toBe(expected);
    expect(await isDiscoverable('orchard-keepers')).toBe(true);
  },
);
