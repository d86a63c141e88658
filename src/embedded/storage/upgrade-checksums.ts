import { newSlice } from '../lib/index.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';

/** The delay before a retry after a failure, most likely a full disk. */
const RETRY_MS = 5_000;

/**
 * Adds checksums to records of an earlier version in small steps between other writes; a later start continues. Returns
 * a function that stops it.
 */
export function upgradeChecksums({ storage, queue }: { storage: Storage; queue: WriteQueue }): () => void {
  let isStopped = storage.hasChecksums;
  let retry: NodeJS.Timeout | undefined;

  async function upgrade(): Promise<void> {
    for (let after: Buffer | undefined = Buffer.from([0]); after && !isStopped; ) {
      const from: Buffer = after;
      after = await queue.run(() => storage.addChecksums(from, newSlice()));
    }
  }

  function start(): void {
    if (isStopped) return;
    upgrade().catch(() => {
      retry = setTimeout(start, RETRY_MS).unref();
    });
  }

  start();
  return () => {
    isStopped = true;
    clearTimeout(retry);
  };
}
