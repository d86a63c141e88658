import { type Document, ObjectId } from 'mongodb';
import type { ChannelRecord, MessageFeedRecord, MessageRecord, UserFeedMarkerRecord } from '../records/chat.ts';
import { type Migration, type MigrationStep, readBatch } from './migration.ts';

/**
 * Older releases gave the default message feed of a channel an id of its own, which remains its `_id`. Its
 * `messageFeedId` becomes the internal id of the channel, which published clients expect. Channels get the last segment
 * of that feed.
 *
 * Records are found by `_id` of their feed, which does not change, so that each pass and batch can be repeated.
 */
export const defaultFeedIds: Migration = {
  version: 9,
  name: 'default message feeds with the internal ids of their channels',
  async run(step) {
    const { pass = PASSES[0]!.name, ...from } = (step.from ?? {}) as { pass?: string };
    const index = PASSES.findIndex(({ name }) => name === pass);
    const next = await PASSES[index]!.run({ ...step, from: 'after' in from ? from : undefined });
    if (next) return { ...next, pass };
    const following = PASSES[index + 1];
    return following && { pass: following.name };
  },
};

/** One walk over a collection, batch by batch. */
interface Pass extends Pick<Migration, 'run'> {
  name: string;
}

const PASSES: readonly Pass[] = [
  {
    name: 'messages',
    async run(step) {
      const { records, next } = await readBatch<MessageRecord>(step, { collection: 'messages' });
      const feeds = await defaultFeeds(
        step,
        records.map(({ messageFeedId }) => messageFeedId),
      );
      const moved = records.flatMap((message) => {
        const feed = feeds.get(message.messageFeedId);
        return feed ? [{ ...message, messageFeedId: feed.id, path: `${feed.path}/${message.messageId}` }] : [];
      });
      await replaceAll(step, 'messages', moved);
      return next;
    },
  },
  {
    name: 'userFeedMarkers',
    async run(step) {
      const { records, next } = await readBatch<UserFeedMarkerRecord>(step, { collection: 'userFeedMarkers' });
      const feeds = await defaultFeeds(
        step,
        records.map(({ feedId }) => feedId),
      );
      const moved = records.flatMap((marker) => {
        const feed = feeds.get(marker.feedId);
        return feed ? [{ ...marker, feedId: feed.id }] : [];
      });
      await replaceAll(step, 'userFeedMarkers', moved);
      return next;
    },
  },
  {
    name: 'messageFeeds',
    async run(step) {
      const { db, session } = step;
      const { records, next } = await readBatch<MessageFeedRecord>(step, {
        collection: 'messageFeeds',
        filter: { isDefault: true },
      });
      if (records.length === 0) return next;
      const moved = records
        .map((feed) => ({ ...feed, messageFeedId: feed.channelInternalId, path: pathOf(feed) }))
        .filter(({ _id, messageFeedId }) => _id.toHexString() !== messageFeedId);
      await replaceAll(step, 'messageFeeds', moved);
      await db.collection<ChannelRecord>('channels').bulkWrite(
        records.map(({ channelInternalId: defaultMessageFeedId, lastSegment }) => ({
          updateOne: {
            filter: { _id: new ObjectId(defaultMessageFeedId) },
            update: { $set: { defaultMessageFeedId, lastSegment } },
          },
        })),
        { session },
      );
      return next;
    },
  },
];

/** The new id and path of each default feed among these ids, by the earlier id. */
async function defaultFeeds(
  { db, session }: MigrationStep,
  ids: readonly string[],
): Promise<Map<string, { id: string; path: string }>> {
  const _ids = [...new Set(ids)].filter((id) => /^[0-9a-f]{24}$/.test(id)).map((id) => new ObjectId(id));
  if (_ids.length === 0) return new Map();
  const feeds = await db
    .collection<MessageFeedRecord>('messageFeeds')
    .find({ _id: { $in: _ids }, isDefault: true }, { session })
    .toArray();
  return new Map(
    feeds.map((feed) => [feed._id.toHexString(), { id: feed.channelInternalId, path: pathOf(feed) }] as const),
  );
}

/** `<path of the channel>/<internal id of the channel>`, before and after the feed is rewritten. */
function pathOf({ path, channelInternalId }: MessageFeedRecord): string {
  return `${path.slice(0, path.lastIndexOf('/'))}/${channelInternalId}`;
}

/** Replaces whole records, because fields of their shard key change (`shard-keys.ts`). */
async function replaceAll<Stored extends Document & { _id: ObjectId }>(
  { db, session }: MigrationStep,
  name: string,
  records: Stored[],
): Promise<void> {
  if (records.length === 0) return;
  const collection = db.collection<Document>(name);
  await collection.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } }, { session });
  await collection.insertMany(records, { session });
}
