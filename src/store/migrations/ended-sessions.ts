import type { Db } from 'mongodb';
import { ignoreMissing } from './ignore-missing.ts';
import type { Migration } from './migration.ts';

/** Indexes of sessions that contained the ended ones, which each sign-in read. */
const REPLACED = ['networkId_1_deviceId_1', 'networkId_1_userId_1'];

export const endedSessions: Migration = {
  version: 15,
  name: 'sessions by device and user apart from those that have ended',
  compatibleFrom: 12,
  async before(db: Db) {
    for (const index of REPLACED) await ignoreMissing(() => db.collection('sessions').dropIndex(index));
  },
  run: async () => undefined,
};
