import type { Db } from 'mongodb';
import type { Migration } from './migration.ts';
import { unlessGone } from './unless-gone.ts';

/** Unread counts follow from positions now: what older releases kept of sums over channels is read by nobody. */
export const derivedMarkers: Migration = {
  version: 4,
  name: 'no stored sums of unread messages',
  async before(db: Db) {
    await unlessGone(() => db.collection('userEntityMarkers').drop());
    // Its successor also gives the order of a page.
    await unlessGone(() => db.collection('userFeedMarkers').dropIndex('networkId_1_feedId_1_userId_1'));
  },
  run: async () => undefined,
};
