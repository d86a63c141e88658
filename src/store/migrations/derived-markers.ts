import type { Db } from 'mongodb';
import type { Migration } from './migration.ts';
import { unlessGone } from './unless-gone.ts';

/** Unread counts are now derived from read positions; the sums over channels that older releases stored are unused. */
export const derivedMarkers: Migration = {
  version: 4,
  name: 'no stored sums of unread messages',
  async before(db: Db) {
    await unlessGone(() => db.collection('userEntityMarkers').drop());
    // The index that replaces it also serves the sort order of pages.
    await unlessGone(() => db.collection('userFeedMarkers').dropIndex('networkId_1_feedId_1_userId_1'));
  },
  run: async () => undefined,
};
