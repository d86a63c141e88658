import { type Db, MongoServerError } from 'mongodb';
import type { Migration } from './migration.ts';

/** NamespaceNotFound: an earlier attempt has dropped it, or there never was one. */
const NAMESPACE_NOT_FOUND = 26;

/** Unread counts follow from positions now: what older releases kept of sums over channels is read by nobody. */
export const derivedMarkers: Migration = {
  version: 4,
  name: 'no stored sums of unread messages',
  async before(db: Db) {
    try {
      await db.collection('userEntityMarkers').drop();
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND)) throw error;
    }
  },
  run: async () => undefined,
};
