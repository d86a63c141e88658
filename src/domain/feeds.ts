import { type Document, ObjectId } from 'mongodb';
import type { FeedRecord, FeedType } from '../store/records/user.ts';

/** A parent post that is added to a feed (`to`), removed from one (`from`), or moved. */
export interface FeedMove {
  from?: FeedType;
  to?: FeedType;
}

/** The three feeds that every user and community has. */
export function newFeeds(now: Date): FeedRecord[] {
  const types: FeedType[] = ['published', 'reviewing', 'declined'];
  return types.map((feedType) => ({
    feedId: new ObjectId().toHexString(),
    feedType,
    postCount: 0,
    createdAt: now,
    updatedAt: now,
  }));
}

/** The update of the post counts in the record of the user or community that has the feeds. */
export function feedCountUpdate({ from, to }: FeedMove, now: Date) {
  const $inc: { [path: string]: number } = {};
  const $set: { [path: string]: Date } = {};
  const arrayFilters: Document[] = [];
  for (const [name, feedType, by] of [['old', from, -1] as const, ['new', to, 1] as const]) {
    if (!feedType) continue;
    $inc[`feeds.$[${name}].postCount`] = by;
    $set[`feeds.$[${name}].updatedAt`] = now;
    arrayFilters.push({ [`${name}.feedType`]: feedType });
  }
  return { $inc, $set, arrayFilters };
}
