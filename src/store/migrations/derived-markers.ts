import { type Db, MongoServerError } from 'mongodb';
import type { Migration } from './migration.ts';

/** NamespaceNotFound and IndexNotFound: an earlier attempt has dropped it, or there never was one. */
const isGone = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === 26 || error.code === 27);

/** Unread counts follow from positions now: what older releases kept of sums over channels is read by nobody. */
export const derivedMarkers: Migration = {
  version: 4,
  name: 'no stored sums of unread messages',
  async before(db: Db) {
    const drops = [
      () => db.collection('userEntityMarkers').drop(),
      // Its successor also gives the order of a page.
      () => db.collection('userFeedMarkers').dropIndex('networkId_1_feedId_1_userId_1'),
    ];
    for (const drop of drops) {
      try {
        await drop();
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  },
  run: async () => undefined,
};
