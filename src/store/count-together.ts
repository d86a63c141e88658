import type { Collection, Document, Filter } from 'mongodb';
import { MAX_PAGE_MS } from './keyset.ts';

/** The largest number of counts in one command. */
const MAX_COUNTS = 50;

interface Waiting {
  filter: Document;
  max: number;
  resolve(count: number): void;
  reject(reason: unknown): void;
}

const queues = new WeakMap<Collection<Document>, Waiting[]>();

/**
 * Counts the records that match a filter, `max` at most. Counts of one collection that are requested in the same turn of
 * the event loop, such as those of each author of a page, share a command.
 */
export function countTogether<Record extends Document>(
  collection: Collection<Record>,
  filter: Filter<Record>,
  { max }: { max: number },
): Promise<number> {
  const shared = collection as unknown as Collection<Document>;
  return new Promise((resolve, reject) => {
    const waiting: Waiting = { filter, max, resolve, reject };
    const queue = queues.get(shared);
    if (queue) {
      queue.push(waiting);
      return;
    }
    queues.set(shared, [waiting]);
    setImmediate(() => {
      const all = queues.get(shared)!;
      queues.delete(shared);
      for (let from = 0; from < all.length; from += MAX_COUNTS) void send(shared, all.slice(from, from + MAX_COUNTS));
    });
  });
}

async function send(collection: Collection<Document>, group: readonly Waiting[]): Promise<void> {
  const [first, ...others] = group.map(({ filter, max }, index) => [
    { $match: filter },
    { $limit: max },
    { $count: 'count' },
    { $project: { count: 1, index: { $literal: index } } },
  ]);
  const unions = others.map((pipeline) => ({ $unionWith: { coll: collection.collectionName, pipeline } }));
  try {
    const counts = await collection
      .aggregate<{ index: number; count: number }>([...first!, ...unions], { maxTimeMS: MAX_PAGE_MS })
      .toArray();
    const byIndex = new Map(counts.map(({ index, count }) => [index, count]));
    // Without a matching record, `$count` returns nothing.
    for (const [index, { resolve }] of group.entries()) resolve(byIndex.get(index) ?? 0);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
