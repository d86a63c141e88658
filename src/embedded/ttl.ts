import type { Collection, Index } from './catalog.ts';
import type { Engine } from './engine.ts';
import { decode } from './executor.ts';
import { Blocked } from './group-commit.ts';
import { encodeKey } from './language/key-string.ts';
import { forgetOldSessions } from './sessions.ts';
import { idPrefix } from './storage.ts';

/** Expired documents leave in groups of this size, so that other writes come in between. */
const GROUP = 500;

/** Removes what TTL indexes say is expired and sessions long silent, again and again; returns how to stop. */
export function startExpiry(engine: Engine, everyMs: number): () => void {
  let isSweeping = false;
  const timer = setInterval(async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await sweep(engine);
    } catch (error) {
      engine.settings.warn(`expiry failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    isSweeping = false;
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function sweep(engine: Engine): Promise<void> {
  for (const collection of engine.catalog.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds !== undefined) await expire(engine, collection, index);
    }
  }
  await engine.queue.run(() => forgetOldSessions(engine.storage, Date.now()));
}

async function expire(engine: Engine, collection: Collection, index: Index): Promise<void> {
  const limit = new Date(Date.now() - index.expireAfterSeconds! * 1000);
  const bounds = [new Date(-8.64e15), limit].map((date) =>
    Buffer.concat([idPrefix(index.id), encodeKey([date], index.directions)]),
  );
  const [start, end] = bounds.sort(Buffer.compare) as [Buffer, Buffer];
  let removed = GROUP;
  while (removed === GROUP) {
    removed = await engine.queue.run(() => {
      let count = 0;
      if (engine.catalog.get(collection.ns) !== collection) return count;
      for (const { recordId } of engine.storage.scanEntries({ start, end })) {
        if (count === GROUP) break;
        if (removeExpired(engine, collection, recordId)) count++;
      }
      return count;
    });
  }
}

/** A record that an open transaction has written to waits for the next sweep. */
function removeExpired({ storage, transactions }: Engine, collection: Collection, recordId: number): boolean {
  const bytes = storage.record(collection.id, recordId);
  if (!bytes) return false;
  try {
    const before = { bytes, document: decode(bytes) };
    transactions.direct.write({ collection, recordId, before, after: undefined });
    return true;
  } catch (error) {
    if (error instanceof Blocked) return false;
    throw error;
  }
}
