import type { RootDatabase } from 'lmdb';

type Root = RootDatabase<Buffer, Buffer>;

/** Written and removed again in the same transaction. */
const KEY = Buffer.from('\0step');

/** The number of the last transaction; each write transaction increments it. */
export const lastTransaction = (root: Root): number => (root.getStats() as { lastTxnId: number }).lastTxnId;

/** Commits a transaction without changes. */
export function commitEmptyTransaction(root: Root): void {
  const catalog = root.openDB<Buffer, Buffer>('catalog', { keyEncoding: 'binary', encoding: 'binary' });
  root.transactionSync(() => {
    catalog.putSync(KEY, KEY);
    catalog.removeSync(KEY);
  });
}

/**
 * A compacted copy has no free pages and not even an empty free list. LMDB 3.5 crashes if the first transaction on such
 * a file is a large one, so small transactions create free list entries before the copy is used.
 */
export function createFreeList(root: Root): void {
  commitEmptyTransaction(root);
  commitEmptyTransaction(root);
}
