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
} from '../storage/index.ts';

/** Removes what TTL indexes say is expired and sessions long silent, again and again; returns how to stop. */
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
        await inPieces(engine, isStopped, expiryOf(engine, collection, index));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        engine.settings.warn(`expiry of index ${index.name} of ${collection.ns} failed: ${error.message}`);
      }
    }
  }
  await inPieces(engine, isStopped, removeOldSessions(engine, Date.now()));
  // A backup or a check that was killed would keep what it read from being overwritten.
  if (!isStopped()) engine.storage.root.readerCheck();
}

/** An error that does not keep other documents from being removed. */
const isRefusal = (error: unknown): error is CommandError =>
  error instanceof CommandError && error.code !== OUT_OF_SPACE;

/** Runs work in pieces, between which others read and write, until one of them says that nothing is left. */
async function inPieces(
  { queue }: Engine,
  isStopped: () => boolean,
  piece: (isOver: () => boolean) => boolean,
): Promise<void> {
  let isDone = false;
  while (!isDone && !isStopped()) isDone = await queue.run(() => piece(newSlice()));
}

/** Inside a commit: removes what has expired until it is time for others; whether nothing is left. */
function expiryOf(engine: Engine, collection: Collection, index: Index): (isOver: () => boolean) => boolean {
  if (index.build) return () => true;
  const range = expiredRange(index, index.expireAfterSeconds!);
  return (isOver) => {
    if (collection.isDropped || index.isDropped) return true;
    for (const { key, recordId } of engine.storage.scanEntries(range)) {
      removeExpired(engine, collection, recordId);
      // What could not be removed is not looked at again in this sweep.
      range.start = key;
      if (isOver()) return false;
    }
    return true;
  };
}

/** The entries of dates that are older than the index allows; an array has one for each date in it. */
function expiredRange(index: Index, seconds: number): KeyRange {
  const dates = [new Date(-8.64e15), new Date(Date.now() - seconds * 1000)];
  const bounds = dates.map((date) => Buffer.concat([idPrefix(index.id), encodeKey([date], index.directions)]));
  const [start, end] = bounds.sort(Buffer.compare) as [Buffer, Buffer];
  return { start, end };
}

/** A record that an open transaction has written to waits for the next sweep. One that is damaged or refused stays. */
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
