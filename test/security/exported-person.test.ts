import { type Document, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPORTED } from '../../src/export/exported-collections.ts';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createMarkedPerson, type MarkedPerson } from '../support/marked-person.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';
import { type Archive, downloadExport, manifestOf, recordsIn } from '../support/read-archive.ts';

const NAMES = Object.keys(INDEXES) as CollectionName[];

/** Fields that contain the id of a user in records of others, or about others, which an export does not contain. */
const OF_OTHERS: { readonly [Name in CollectionName]?: readonly string[] } = {
  userBlocks: ['blockedUserId'],
  flags: ['referenceId', 'authorId'],
  posts: ['targetId', 'sharedUserId'],
  rooms: ['targetId'],
  stories: ['targetId'],
  joinRequests: ['responderId'],
  auditEntries: ['subjectId'],
  userErasures: ['requestedBy'],
  comments: ['targetId'],
};
/** Unique texts in what only others may read. */
const HIDDEN = ['flagabout', 'flagpost', 'flagcomment', 'flagmessage', 'push'];
const BAN_REASON = 'reason-of-the-ban-zq';
const MUTE_REASON = 'reason-of-the-mute-zq';
const TIME_OF_A_FLAG = '2001-02-03T04:05:06.789Z';

let gateway: TestGateway;
let person: MarkedPerson;
let archive: Archive;
const mutate = mutations(() => gateway);
const read = (as: string, input: object = {}) => downloadExport(gateway, as, input);

beforeAll(async () => {
  gateway = await startTestGateway();
  person = await createMarkedPerson(gateway, 'marked');
  await fillOtherCollections(person.userId);
  archive = await read(person.userId);
});
afterAll(() => gateway.close());

/** A record in each collection that the transports fill in the background, or for moderators only. */
async function fillOtherCollections(userId: string): Promise<void> {
  const { collections } = gateway.services.store;
  const given: { [Name in CollectionName]?: Document } = {
    mqttSessions: { userId, clientId: 'phone', topics: ['a'], expiresAt: new Date(Date.now() + 86_400_000) },
    joinRequests: { joinRequestId: 'j', requestorId: userId, responderId: 'bob', status: 'approved' },
    views: { referenceType: 'post', referenceId: 'seedlings', userId },
    pollVotes: { pollId: 'p', userId, answerIds: ['a'] },
    storySeens: { userId, targetType: 'user', targetId: 'bob', storyIds: [] },
    userMarkers: { userId, lastSyncAt: new Date() },
    pins: { targetType: 'community', targetId: 'c', placement: 'p', referenceId: 'r', pinnedBy: userId },
    userErasures: { userId, content: 'keep', state: 'completed', requestedBy: 'admin', names: ['Former name'] },
    messageFeeds: { messageFeedId: new ObjectId().toHexString(), channelId: 'c-own', userId, name: 'Own' },
    channelUsers: { userId, channelId: 'c-own', membership: 'none' },
    communities: { communityId: 'own', userId, displayName: 'Own' },
  };
  for (const [name, record] of Object.entries(given)) {
    const dates = { createdAt: new Date(), updatedAt: new Date() };
    await collections[name as CollectionName].insertOne({
      ...{ _id: new ObjectId(), networkId: gateway.networkId, ...dates, ...record },
    } as never);
  }
  const ban = { reason: BAN_REASON, bannedBy: 'moderator-of-the-ban', bannedAt: new Date(), expiresAt: null };
  const own = { networkId: gateway.networkId, userId };
  await collections.communityUsers.updateOne(
    { networkId: gateway.networkId, communityId: 'own', userId },
    { $set: { createdAt: new Date(), updatedAt: new Date(), displayName: 'x', communityMembership: 'banned', ban } },
    { upsert: true },
  );
  const mute = { reason: MUTE_REASON, mutedBy: 'moderator-of-the-mute', mutedAt: new Date() };
  await collections.channelUsers.updateOne(own, { $set: { ban, mute } });
  await collections.users.updateOne(own, { $set: { hashFlag: { bits: 1, hashes: 1, hash: ['who-flagged'] } } });
  const { networkId } = gateway;
  const flagged = { $set: { flagsChangedAt: new Date(TIME_OF_A_FLAG) } };
  await collections.posts.updateMany({ networkId, postedUserId: userId }, flagged);
  await collections.stories.updateMany({ networkId, userId }, flagged);
}

/** Stored records in which a field is the id of the person, except those of others. */
async function recordsOf(name: CollectionName): Promise<Document[]> {
  const { userId } = person;
  const ignored = OF_OTHERS[name] ?? [];
  const found = await gateway.services.store.db.collection(name).find({ networkId: gateway.networkId }).toArray();
  return found.filter((record) =>
    Object.entries(record).some(([field, value]) => value === userId && !ignored.includes(field)),
  );
}

test('every collection is exported, or has a reason not to be', () => {
  expect(NAMES.filter((name) => !(name in EXPORTED))).toEqual([]);
  for (const exported of Object.values(EXPORTED)) {
    if ('reason' in exported) expect(exported.reason).toMatch(/^\S.{10,}\.$/);
  }
});

test.each(NAMES.filter((name) => 'select' in EXPORTED[name]))(
  'contains each record of %s that names the person',
  async (name) => {
    // Own downloads add entries to the audit log.
    if (name === 'auditEntries') archive = await read(person.userId);
    const stored = await recordsOf(name);
    const isTarget = name === 'storyTargets';
    expect(isTarget || stored.length > 0, 'the test has such a record').toBe(true);
    const exported = recordsIn(archive, name);
    expect(manifestOf(archive).records[name]).toBe(exported.length);
    const keys = (records: Document[]) => records.map((record) => String(record.auditId ?? record.createdAt)).sort();
    expect(exported).toHaveLength(stored.length);
    expect(keys(exported)).toEqual(
      keys(stored.map((record) => ({ ...record, createdAt: (record.createdAt as Date).toISOString() }))),
    );
  },
);

test('contains every text of the person, with the bytes of their files, and nothing that only others may read', () => {
  const text = [...archive.values()].join('\n').toLowerCase();
  const { markers, contentMarkers } = person;
  // An administrator has replaced the description.
  const own = [...markers, ...contentMarkers].filter(
    (marker) => !HIDDEN.some((hidden) => marker.includes(hidden)) && !marker.includes('description'),
  );
  expect(own.filter((marker) => !text.includes(marker))).toEqual([]);
  const hidden = markers.filter((marker) => HIDDEN.some((one) => marker.includes(one)));
  expect(hidden).toHaveLength(HIDDEN.length);
  const moderators = ['moderator-of-the-ban', 'moderator-of-the-mute'];
  const flags = ['who-flagged', TIME_OF_A_FLAG.toLowerCase()];
  const others = [BAN_REASON, MUTE_REASON, ...moderators, ...flags, 'former name'];
  expect([...hidden, ...others].filter((marker) => text.includes(marker))).toEqual([]);
  for (const { ban } of [...recordsIn(archive, 'communityUsers'), ...recordsIn(archive, 'channelUsers')]) {
    if (ban) expect(Object.keys(ban)).toEqual(['bannedAt', 'expiresAt']);
  }
  const mutes = recordsIn(archive, 'channelUsers').flatMap(({ mute }) => (mute ? [Object.keys(mute)] : []));
  expect(mutes).toEqual([['mutedAt']]);
});

test('contains no messages, posts or reactions of others', () => {
  const { userId } = person;
  const authors = ['posts', 'comments', 'messages', 'reactions', 'stories', 'flags', 'views'].flatMap((name) =>
    recordsIn(archive, name).map((record) => record.postedUserId ?? record.userId),
  );
  expect(new Set(authors)).toEqual(new Set([userId]));
  expect([...archive.values()].join('\n')).not.toContain('Hello');
});

test('the manifest is the last entry, and counts records and files', () => {
  expect([...archive.keys()].at(-1)).toBe('manifest.json');
  const files = [...archive.keys()].filter((name) => name.startsWith('files/'));
  expect(manifestOf(archive)).toMatchObject({
    ...{ format: 'colloquy-export', version: 1, userId: person.userId, networkId: gateway.networkId },
    files: { count: files.length, missing: 0 },
  });
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^files\/[0-9a-f]{32}\.txt$/);
});

test('the acts of moderators on the person are without the moderator and the reason', async () => {
  const execute = successfulMutations(gateway);
  await execute('admin', 'banUser', { userId: 'leo', reason: BAN_REASON });
  const acts = recordsIn(await read('admin', { userId: 'leo' }), 'auditEntries');
  expect(acts.map(({ action }) => action)).toEqual(['banUser', 'exportUser', 'downloadExport']);
  for (const act of acts) {
    expect(act).not.toHaveProperty('reason');
    expect(act).not.toHaveProperty('actorId');
    expect(act).not.toHaveProperty('address');
  }
});

test('contains each of many records once, in parts, also those with equal times', async () => {
  const { posts } = gateway.services.store.collections;
  const { networkId } = gateway;
  const execute = successfulMutations(gateway);
  const input = { targetType: 'USER', targetId: 'heidi', data: { text: 'Pattern' } };
  const { post } = await execute('heidi', 'createPost', input, 'post { postId }');
  const { _id, ...pattern } = (await posts.findOne({ networkId, postId: post.postId }))!;
  const total = 1_300;
  const ids = Array.from({ length: total }, (_, index) => `many-${index}`);
  await posts.insertMany(
    ids.map((postId, index) => ({
      ...pattern,
      _id: new ObjectId(),
      postId,
      // 400 equal times across the border of two pages, and long texts that fill a page earlier.
      createdAt: new Date(1_700_000_000_000 + (index > 300 && index < 700 ? 300 : index)),
      data: { text: 'x'.repeat(index < 900 ? 100 : 9_000) },
    })),
  );
  const many = await read('heidi');
  const exported = recordsIn(many, 'posts').map(({ postId }) => postId as string);
  expect(exported.filter((postId) => postId.startsWith('many-')).sort()).toEqual(ids.sort());
  expect([...many.keys()].filter((name) => name.startsWith('records/posts-')).length).toBeGreaterThan(1);
});

test('an administrator exports a deleted account, and nobody one of a higher rank', async () => {
  const execute = successfulMutations(gateway);
  await execute('admin', 'deleteUser', { userId: 'judy' });
  expect(recordsIn(await read('admin', { userId: 'judy' }), 'users')).toMatchObject([
    { userId: 'judy', isDeleted: true },
  ]);
  const role = { roleId: 'registrar', displayName: 'R', rank: 5, permissions: ['ASSIGN_USER_ROLE'] };
  await execute('admin', 'createRole', role);
  await execute('admin', 'addUserRoles', { userId: 'kim', roleIds: ['registrar'] });
  expect(await mutate('kim', 'exportUser', { userId: 'admin' }, 'export { url }')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(await mutate('kim', 'exportUser', { userId: 'bob' }, 'export { userId }')).toMatchObject({
    export: { userId: 'bob' },
  });
  expect(await mutate('admin', 'exportUser', { userId: 'nobody-at-all' }, 'export { url }')).toMatchObject({
    code: 'NOT_FOUND',
  });
});
