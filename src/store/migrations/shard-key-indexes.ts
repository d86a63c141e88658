import { type Db, MongoServerError } from 'mongodb';
import type { Migration } from './migration.ts';

/** Indexes of the first release that a sharded cluster cannot keep unique, and those that their successors replace. */
const REPLACED: ReadonlyArray<[collection: string, index: string]> = [
  ['messages', 'networkId_1_messageId_1'],
  ['reactions', 'networkId_1_reactionId_1'],
  ['reactions', 'networkId_1_referenceType_1_referenceId_1_userId_1_reactionName_1'],
  ['reactions', 'networkId_1_userId_1_referenceId_1'],
];

/** NamespaceNotFound and IndexNotFound: an earlier attempt has dropped it. */
const isGone = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === 26 || error.code === 27);

/** Drops what stands in the way of the shard keys; the start that runs it makes the new indexes afterwards. */
export const shardKeyIndexes: Migration = {
  version: 3,
  name: 'indexes that a sharded cluster can keep unique',
  async before(db: Db) {
    for (const [collection, index] of REPLACED) {
      await db
        .collection(collection)
        .dropIndex(index)
        .catch((error: unknown) => {
          if (!isGone(error)) throw error;
        });
    }
  },
  run: async () => undefined,
};
