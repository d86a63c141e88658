import { type ClientSession, type Collection, type Document, MongoClient } from 'mongodb';
import { communityOf, idOf, NETWORK_ID, postIdOf, recordOf, scattered } from './records.ts';
import type { Server } from './servers.ts';
import type { Subject } from './subject.ts';

export const DATABASE = 'colloquy';
export const COLLECTION = 'posts';
const BATCH = 250;
/**
 * LMDB processes the pages freed by a transaction in one piece, and each commit pays for those that are still unused.
 */
const PIECE = 50;

/** The settings of a gateway, which waits for the flush. */
export const connectTo = (uri: string): MongoClient =>
  new MongoClient(uri, { maxPoolSize: 96, writeConcern: { w: 'majority' }, readConcern: { level: 'majority' } });

/** Creates `count` records with the indexes that the operations use. */
export async function fillStore(uri: string, count: number): Promise<void> {
  const client = connectTo(uri);
  try {
    const posts = client.db(DATABASE).collection(COLLECTION);
    await posts.createIndex({ networkId: 1, postId: 1 }, { unique: true });
    await posts.createIndex({ networkId: 1, communityId: 1, createdAt: -1, _id: -1 });
    let next = 0;
    const fill = async (): Promise<void> => {
      while (next < count) {
        const start = next;
        next = Math.min(count, start + BATCH);
        await posts.insertMany(Array.from({ length: next - start }, (_, place) => recordOf(start + place, count)));
      }
    };
    await Promise.all([fill(), fill(), fill()]);
  } finally {
    await client.close();
  }
}

/**
 * The operations through the official driver, on a store that {@link fillStore} has filled or one that only answers.
 */
export function throughDriver({ uri, pid }: Pick<Server, 'uri' | 'pid'>, count: number): Subject {
  const client = connectTo(uri);
  const posts = client.db(DATABASE).collection(COLLECTION);
  let step = 0;
  let inserted = count;
  let tidied = count;
  const some = (): number => scattered(step++, count);
  return {
    pid,
    work: {
      'point read': () => posts.findOne({ networkId: NETWORK_ID, postId: postIdOf(some()) }),
      'range of 50': () =>
        posts
          .find({ networkId: NETWORK_ID, communityId: communityOf(some(), count) })
          .sort({ createdAt: -1, _id: -1 })
          .limit(50)
          .toArray(),
      insert: () => posts.insertOne(recordOf(inserted++, count)),
      'transaction of 4 writes': () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            await posts.insertOne(recordOf(inserted++, count), { session });
            await posts.insertOne(recordOf(inserted++, count), { session });
            await change(posts, some(), session);
            await change(posts, some(), session);
          }),
        ),
    },
    async tidy() {
      for (; tidied < inserted; tidied += PIECE) {
        await posts.deleteMany({ _id: { $gte: idOf(tidied), $lt: idOf(Math.min(inserted, tidied + PIECE)) } });
      }
      tidied = inserted;
    },
    close: () => client.close(),
  };
}

const change = (posts: Collection<Document>, index: number, session: ClientSession): Promise<unknown> =>
  posts.updateOne(
    { networkId: NETWORK_ID, postId: postIdOf(index) },
    { $inc: { commentsCount: 1 }, $set: { updatedAt: new Date() } },
    { session },
  );
