import type { Db } from 'mongodb';
import { ignoreMissing } from './ignore-missing.ts';
import type { Migration } from './migration.ts';

/** Unread counts are now derived from read positions; the sums over channels that older releases stored are unused. */
export const derivedMarkers: Migration = {
  version: 4,
  name: 'no stored sums of unread messages',
  async before(db: Db) {
    await ignoreMissing(() => db.collection('userEntityMarkers').drop());
    // The index that replaces it also serves the sort order of pages.
    await ignoreMissing(() => db.collection('userFeedMarkers').dropIndex('networkId_1_feedId_1_userId_1'));
  },
  run: async () => undefined,
};
