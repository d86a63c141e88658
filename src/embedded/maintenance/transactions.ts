import type { RootDatabase } from 'lmdb';

type Root = RootDatabase<Buffer, Buffer>;

const KEY = Buffer.from('\0step');

/** The number of the last transaction; each write takes the next one. */
export const lastTransaction = (root: Root): number => (root.getStats() as { lastTxnId: number }).lastTxnId;

/** One transaction that leaves everything as it was. */
export function step(root: Root): void {
  const catalog = root.openDB<Buffer, Buffer>('catalog', { keyEncoding: 'binary', encoding: 'binary' });
  root.transactionSync(() => {
    catalog.putSync(KEY, KEY);
    catalog.removeSync(KEY);
  });
}

/**
 * A compacted copy has no free pages, not even a note of there being none. lmdb 3.5 ends the process when the first
 * transaction on such a file is a large one, so a copy gets some notes by small ones before anybody opens it.
 */
export function settle(root: Root): void {
  step(root);
  step(root);
}
