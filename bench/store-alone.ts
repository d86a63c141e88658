import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { communityId, NETWORK_ID, postId } from './data.ts';
import { openLmdb } from './lmdb.ts';
import { type Latencies, latenciesOf } from './stats.ts';

export interface StoreResult extends Latencies {
  name: string;
  perSecond: number;
}

const WRITERS = 64;
const READERS = 32;

/** The embedded store through the official driver, beside what the driver alone and lmdb alone cost. */
export async function measureStore(uri: string, calls: number): Promise<StoreResult[]> {
  const client = new MongoClient(uri, {
    maxPoolSize: WRITERS,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
  });
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const lmdb = openLmdb(folder);
  try {
    const db = client.db('colloquy');
    const posts = db.collection('posts');
    const scratch = db.collection('benchWrites');
    await scratch.createIndex({ networkId: 1, number: 1 });
    const record = recordLike((await posts.findOne({ networkId: NETWORK_ID, postId: postId(0) }))!);
    const range = { networkId: NETWORK_ID, userId: 'bench-user-0' };
    const scan = { networkId: NETWORK_ID, communityId: communityId(0) };
    if (!(await db.collection('communityUsers').findOne({ ...range, ...scan })))
      throw new Error('The store is not filled.');

    const ping = () => db.command({ ping: 1 });
    const point = (index: number) => posts.findOne({ networkId: NETWORK_ID, postId: postId(index) });
    const fifty = () => db.collection('communityUsers').find(scan).sort({ createdAt: 1, _id: 1 }).limit(50).toArray();
    const insert = (index: number) => scratch.insertOne({ ...record, _id: new ObjectId(), number: index });
    await repeat(ping, { calls: calls / 2, together: READERS });
    await repeat(point, { calls: calls / 2, together: READERS });

    const results: StoreResult[] = [];
    const measure = async (name: string, work: (index: number) => Promise<unknown>, amount: number, together = 1) => {
      results.push({ name, ...(await repeat(work, { calls: Math.ceil(amount), together })) });
    };
    await measure('ping (floor of the driver)', ping, calls);
    await measure('point read', point, calls);
    await measure('range of 50', fifty, calls / 4);
    await measure(`ping, ${READERS} at once`, ping, calls * 2, READERS);
    await measure(`point read, ${READERS} at once`, point, calls * 2, READERS);
    await measure('lmdb alone: get', async (index) => lmdb.get(index % 1_000), calls);
    await measure('durable insert', insert, calls / 4);
    await measure('lmdb alone: put on disk', (index) => lmdb.put(index), calls / 4);
    await measure(`durable insert, ${WRITERS} writers`, insert, calls * 2, WRITERS);
    await measure(`lmdb alone: put on disk, ${WRITERS} writers`, (index) => lmdb.put(index), calls * 2, WRITERS);
    await scratch.drop();
    return results;
  } finally {
    await client.close();
    await lmdb.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A record of a real one's size, without what makes it unique. */
function recordLike({ _id, postId, ...rest }: Document): Document {
  return rest;
}

interface Repeat {
  calls: number;
  /** How many are under way at a time. */
  together: number;
}

async function repeat(
  work: (index: number) => Promise<unknown>,
  { calls, together }: Repeat,
): Promise<Latencies & { perSecond: number }> {
  const durations: number[] = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (next < calls) {
        const index = next++;
        const start = performance.now();
        await work(index);
        durations.push(performance.now() - start);
      }
    }),
  );
  return { perSecond: (durations.length * 1_000) / (performance.now() - begun), ...latenciesOf(durations) };
}
