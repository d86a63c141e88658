import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { startOnFolder, unpackWrittenFolder } from './written-folder.ts';

const LONG = 'A name as long as names may be '.repeat(4).slice(0, 100);

const KIM = { userId: 'kim', displayName: 'Kim' };
const ZED = { userId: 'zed', displayName: 'Zed' };
const GONE = { userId: 'gone', displayName: 'Deleted user', isDeleted: true };
const FIRST_GONE = { ...GONE, userId: 'abe' };

/** A conversation of Bob and others, as an older release stored it. */
interface Conversation {
  id: string;
  name: string;
  others: Array<{ userId: string; displayName: string; isDeleted?: boolean }>;
  feedName?: string;
}

const GENERATED: Conversation[] = [
  { id: 'named-after', name: 'Bob, Kim', others: [KIM] },
  { id: 'in-the-order-of-ids', name: 'Zoe, Bob, Kim', others: [KIM, { userId: 'abe', displayName: 'Zoe' }] },
  { id: 'with-comma', name: 'Bob, Doe, J.', others: [{ userId: 'doe', displayName: 'Doe, J.' }] },
  { id: 'cut', name: `Bob, ${LONG}`.slice(0, 100), others: [{ userId: 'long', displayName: LONG }, ZED] },
  { id: 'cut-after-a-name', name: LONG, others: [{ userId: 'abe', displayName: LONG }] },
  {
    id: 'cut-before-a-surrogate-pair',
    name: `Bob, ${'𝒦'.repeat(47)}`,
    others: [{ userId: 'kim', displayName: '𝒦'.repeat(50) }],
  },
  { id: 'deleted', name: 'Bob, Former Name', others: [GONE] },
  { id: 'first-deleted', name: 'Former Name, Bob, Kim', others: [FIRST_GONE, KIM] },
  { id: 'middle-deleted', name: 'Bob, Former Name, Kim', others: [GONE, KIM] },
  { id: 'cut-deleted', name: `Bob, ${LONG}`.slice(0, 100), others: [GONE, ZED] },
  {
    id: 'cut-after-deleted',
    name: `Former Name, Bob, ${LONG}`.slice(0, 100),
    others: [FIRST_GONE, { userId: 'long', displayName: LONG }],
  },
];

const KEPT: Conversation[] = [
  { id: 'chosen', name: 'Garden club', others: [{ userId: 'kim', displayName: 'Garden club' }] },
  { id: 'chosen-later', name: 'Bob, Kim', others: [KIM], feedName: 'Bob, Former Name' },
  { id: 'unlike', name: 'Seeds, soil', others: [KIM] },
  { id: 'one-name', name: 'Berlin trip, Kim', others: [KIM] },
  { id: 'one-name-of-three', name: 'Bob, Kim', others: [KIM, { userId: 'leo', displayName: 'Leo' }] },
  { id: 'other-order', name: 'Kim, Bob', others: [KIM] },
  { id: 'renamed-since', name: 'Bob, Kim', others: [{ userId: 'kim', displayName: 'Kimberly' }] },
  { id: 'list', name: 'Bread, milk, eggs', others: [GONE] },
  { id: 'as-many-parts', name: 'Bread, milk', others: [GONE] },
  { id: 'more-parts', name: 'Bob, milk, eggs', others: [GONE] },
  { id: 'fewer-parts', name: 'Bob, milk', others: [GONE, KIM] },
  { id: 'long', name: `${'Title '.repeat(16)}end`, others: [GONE] },
  { id: 'long-first-deleted', name: LONG, others: [FIRST_GONE] },
  { id: 'short-last-part', name: `${'W'.repeat(97)}, K`, others: [KIM] },
  { id: 'empty-last-part', name: `${'W'.repeat(98)}, `, others: [KIM] },
  { id: 'short-last-part-deleted', name: `${'W'.repeat(97)}, B`, others: [FIRST_GONE] },
  {
    id: 'all-deleted',
    name: 'Bob, Kim',
    others: [GONE, { userId: 'bob', displayName: 'Deleted user', isDeleted: true }],
  },
];

test.skipIf(process.env.MONGODB_URI)(
  'drops generated names of conversations, and no name that a user may have chosen',
  async () => {
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
    for (const { id: channelId, name, others, feedName = name } of [...GENERATED, ...KEPT]) {
      const _id = new ObjectId();
      const defaultMessageFeedId = new ObjectId().toHexString();
      await db
        .collection('channels')
        .insertOne({ ...channel, _id, channelId, displayName: name, defaultMessageFeedId });
      await db.collection('messageFeeds').insertOne({
        ...feed,
        _id: new ObjectId(defaultMessageFeedId),
        messageFeedId: defaultMessageFeedId,
        channelId,
        channelInternalId: _id.toHexString(),
        name: feedName,
      });
      const members = new Map([{ userId: 'bob', displayName: 'Bob' }, ...others].map((one) => [one.userId, one]));
      for (const one of members.values())
        await db.collection('channelUsers').insertOne({ ...member, _id: new ObjectId(), channelId, ...one });
    }
    await client.close();
    await store.close();

    const gateway = await startOnFolder(folder);
    const { channels, messageFeeds } = gateway.services.store.collections;
    const namesOf = (conversations: Conversation[]) =>
      Promise.all(
        conversations.map(async ({ id: channelId }) => {
          const one = (await channels.findOne({ networkId: 'default', channelId }))!;
          const first = await messageFeeds.findOne({ networkId: 'default', messageFeedId: one.defaultMessageFeedId });
          return { id: channelId, name: one.displayName, feed: first!.name };
        }),
      );
    expect(await namesOf(GENERATED)).toEqual(GENERATED.map(({ id }) => ({ id, name: '', feed: '' })));
    expect(await namesOf(KEPT)).toEqual(KEPT.map(({ id, name, feedName: feed = name }) => ({ id, name, feed })));
  },
);
