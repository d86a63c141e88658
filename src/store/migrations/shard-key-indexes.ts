import type { Db } from 'mongodb';
import { ignoreMissing } from './ignore-missing.ts';
import type { Migration } from './migration.ts';

/** Indexes of the first release that cannot be unique on a sharded cluster, and indexes that newer ones replace. */
const REPLACED: ReadonlyArray<[collection: string, index: string]> = [
  ['messages', 'networkId_1_messageId_1'],
  ['reactions', 'networkId_1_reactionId_1'],
  ['reactions', 'networkId_1_referenceType_1_referenceId_1_userId_1_reactionName_1'],
  ['reactions', 'networkId_1_userId_1_referenceId_1'],
];

/** The new indexes of these names have the same keys and are not unique. */
const KEEPS_NAME = new Set(['networkId_1_messageId_1', 'networkId_1_reactionId_1']);

/** Drops the indexes that conflict with the shard keys; the new indexes are created afterwards, in the same start. */
export const shardKeyIndexes: Migration = {
  version: 3,
  name: 'indexes that a sharded cluster can keep unique',
  async before(db: Db) {
    for (const [name, replaced] of REPLACED) {
      const collection = db.collection(name);
      await ignoreMissing(async () => {
        const found = (await collection.indexes()).find((index) => index.name === replaced);
        // A process that has lost the lock must not drop the new index that another process has created.
        if (found && (found.unique || !KEEPS_NAME.has(replaced))) await collection.dropIndex(replaced);
      });
    }
  },
  run: async () => undefined,
};
