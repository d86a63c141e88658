import type { Db } from 'mongodb';
import { ignoreMissing } from './ignore-missing.ts';
import type { Migration } from './migration.ts';

/**
 * Events are read in the order of `_id`, which their `eventId` repeats. A unique index on `eventId` cannot exist where
 * events are sharded by `commitId`.
 */
export const eventIds: Migration = {
  version: 14,
  name: 'events in the order of _id, without a unique index on eventId',
  compatibleFrom: 12,
  before: (db: Db) => ignoreMissing(() => db.collection('events').dropIndex('networkId_1_eventId_1')),
  run: async () => undefined,
};
