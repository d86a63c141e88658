import type { Db } from 'mongodb';
import { ignoreMissing } from './ignore-missing.ts';
import type { Migration } from './migration.ts';

/** Sort indexes over all channels. Lists now sort the public channels, or the viewer's own through `channelUsers`. */
const REPLACED = [
  'networkId_1_createdAt_1__id_1',
  'networkId_1_lastActivity_1__id_1',
  'networkId_1_displayName_1__id_1',
];

export const channelIndexes: Migration = {
  version: 5,
  name: 'channels in order by whether they are public',
  async before(db: Db) {
    for (const index of REPLACED) await ignoreMissing(() => db.collection('channels').dropIndex(index));
  },
  run: async () => undefined,
};
