import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { sampleFiles, writeSampleFiles } from '../../src/sample/pictures.ts';
import { buildSampleNetwork } from '../../src/sample/sample-network.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { openTestStore } from '../support/store.ts';

const options = { networkId: 'garden', now: new Date('2026-11-21T12:00:00Z') };

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

describe('insertSampleNetwork', () => {
  test('completes an interrupted call', async () => {
    const { files, roles } = buildSampleNetwork(options);
    await store.collections.files.insertMany(files.slice(0, 5));
    // The gateway creates the default roles with the network, with other internal ids.
    await store.collections.roles.insertOne({
      ...roles[0]!,
      _id: buildSampleNetwork({ ...options, networkId: 'x' }).roles[0]!._id,
    });
    expect(await insertSampleNetwork({ ...options, collections: store.collections })).toBe(true);
    expect(await store.collections.files.countDocuments({ networkId: 'garden' })).toBe(files.length);
    expect(await store.collections.roles.countDocuments({ networkId: 'garden' })).toBe(roles.length);
  });

  test('leaves every counter equal to what it counts and every reference resolved', async () => {
    expect(await findInconsistencies(store.db)).toEqual([]);
  });

  test('does nothing in a network that has users', async () => {
    expect(await insertSampleNetwork({ ...options, collections: store.collections })).toBe(false);
  });

  test('fills two networks of one database', async () => {
    expect(await insertSampleNetwork({ ...options, networkId: 'allotment', collections: store.collections })).toBe(
      true,
    );
    expect(await findInconsistencies(store.db)).toEqual([]);
  });
});

describe('findInconsistencies', () => {
  const networkId = 'garden';
  test.each([
    ['a miscounted comment', 'posts', { postId: 'seedlings' }, { $inc: { commentsCount: 1 } }, 'commentsCount'],
    [
      'a miscounted member',
      'communities',
      { communityId: 'gardeners' },
      { $inc: { membersCount: -1 } },
      'membersCount',
    ],
    ['a lost reaction', 'posts', { postId: 'seedlings' }, { $set: { 'reactions.like': 1 } }, 'reactions'],
    ['a file that does not exist', 'users', { userId: 'bob' }, { $set: { avatarFileId: 'nowhere' } }, 'file nowhere'],
    ['a gap between segments', 'messageFeeds', { lastSegment: 6 }, { $set: { lastSegment: 7 } }, 'lastSegment'],
    [
      'a position past its feed',
      'userFeedMarkers',
      { userId: 'bob' },
      { $set: { readToSegment: 99 } },
      'readToSegment',
    ],
    [
      'a permission that no role grants',
      'users',
      { userId: 'bob' },
      { $set: { permissions: ['BAN_USER'] } },
      'permissions',
    ],
    ['words that are not indexed', 'users', { userId: 'bob' }, { $set: { displayName: 'Robert' } }, 'tokens'],
  ] as const)('finds %s', async (_, collection, filter, update, expected) => {
    const records = store.db.collection(collection);
    const before = await records.findOne({ networkId, ...filter });
    await records.updateOne({ _id: before!._id }, update);
    const problems = await findInconsistencies(store.db);
    expect(problems.join('\n')).toContain(expected);
    await records.replaceOne({ _id: before!._id }, before!);
    expect(await findInconsistencies(store.db)).toEqual([]);
  });
});

test('writeSampleFiles writes every file under its fileId', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-files-'));
  try {
    await writeSampleFiles(join(folder, 'files'));
    const files = sampleFiles();
    expect((await readdir(join(folder, 'files'))).sort()).toEqual(files.map((file) => file.fileId).sort());
    for (const file of files) expect(await readFile(join(folder, 'files', file.fileId))).toEqual(file.content);
  } finally {
    await rm(folder, { recursive: true });
  }
});
