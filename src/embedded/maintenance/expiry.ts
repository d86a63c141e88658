import type { Engine } from '../engine.ts';
import { CommandError, encodeKey, newSlice } from '../lib/index.ts';
import { decode } from '../query/index.ts';
import {
  type Collection,
  DamagedRecordError,
  type Index,
  idPrefix,
  type KeyRange,
  LockWait,
  OUT_OF_SPACE,
  removeOldSessions,
  successor,
} from '../storage/index.ts';

/**
 * Periodically removes documents that TTL indexes declare expired, and expired sessions; returns a function that stops
 * it.
 */
export function startExpiry(engine: Engine, everyMs: number): () => void {
  let isSweeping = false;
  let isStopped = false;
  const timer = setInterval(async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await sweep(engine, () => isStopped);
    } catch (error) {
      engine.settings.warn(`expiry failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    isSweeping = false;
  }, everyMs);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

async function sweep(engine: Engine, isStopped: () => boolean): Promise<void> {
  for (const collection of engine.catalog.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined) continue;
      try {
        await runInSteps(engine, isStopped, expiryOf(engine, collection, index));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        engine.settings.warn(`expiry of index ${index.name} of ${collection.ns} failed: ${error.message}`);
      }
    }
  }
  await runInSteps(engine, isStopped, removeOldSessions(engine, Date.now()));
  // Releases the snapshots of backups and checks that were killed; their pages could not be reused.
  if (!isStopped()) engine.storage.root.readerCheck();
}

/** An error that does not prevent the removal of other documents. */
const isRefusal = (error: unknown): error is CommandError =>
  error instanceof CommandError && error.code !== OUT_OF_SPACE;

/** Runs work in small steps, between other commands, until a step returns that nothing is left. */
async function runInSteps(
  { queue }: Engine,
  isStopped: () => boolean,
  step: (isOver: () => boolean) => boolean,
): Promise<void> {
  let isDone = false;
  while (!isDone && !isStopped()) isDone = await queue.run(() => step(newSlice()));
}

/** Inside a commit: removes expired documents until the time slice is over; returns whether none is left. */
function expiryOf(engine: Engine, collection: Collection, index: Index): (isOver: () => boolean) => boolean {
  if (index.build) return () => true;
  const range = expiredRange(index, index.expireAfterSeconds!);
  return (isOver) => {
    if (collection.isDropped || index.isDropped) return true;
    for (const { key, recordId } of engine.storage.scanEntries(range)) {
      removeExpired(engine, collection, recordId);
      // A document that could not be removed is skipped for the rest of this sweep.
      range.start = successor(key);
      if (isOver()) return false;
    }
    return true;
  };
}

/** The index entries of expired dates; an array has one per date. */
function expiredRange(index: Index, seconds: number): KeyRange {
  const dates = [new Date(-8.64e15), new Date(Date.now() - seconds * 1000)];
  const bounds = dates.map((date) => Buffer.concat([idPrefix(index.id), encodeKey([date], index.directions)]));
  const [start, end] = bounds.sort(Buffer.compare) as [Buffer, Buffer];
  return { start, end };
}

/** Removes one record. A record locked by a transaction waits for the next sweep; a damaged or refused one stays. */
function removeExpired({ storage, transactions, settings }: Engine, collection: Collection, recordId: number): void {
  try {
    const bytes = storage.record(collection.id, recordId);
    if (!bytes) return;
    const before = { bytes, document: decode(bytes) };
    transactions.direct.write({ collection, recordId, before, after: undefined });
  } catch (error) {
    if (error instanceof DamagedRecordError) {
      settings.warn(`expiry skips record ${recordId} of ${collection.ns}, which is damaged: ${error.message}`);
    } else if (isRefusal(error)) {
      settings.warn(`expiry skips record ${recordId} of ${collection.ns}: ${error.message}`);
    } else if (!(error instanceof LockWait)) throw error;
  }
}
