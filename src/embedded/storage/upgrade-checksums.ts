import { newSlice } from '../lib/index.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';

/** After a failure, which most likely is a full disk. */
const RETRY_MS = 5_000;

/**
 * Adds checksums to the records that an earlier version wrote, between the writes of others; a later start continues.
 * Returns how to stop.
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
