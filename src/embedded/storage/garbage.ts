import { newSlice } from '../lib/index.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';
import { prefixRange } from './table.ts';

export type GarbageKind = 'records' | 'entries';

/**
 * Data in the tables that belongs to nothing: records and entries of dropped collections and indexes, which are
 * unreachable immediately and removed in small steps, and the entries of an index that is being built, which a crash
 * would leave behind. It is registered in the catalog table under keys that no collection can have.
 */
export interface Garbage {
  /** Inside a commit: registers the records of a collection or the entries of an index as garbage. */
  add(kind: GarbageKind, id: number): void;
  /** Inside a commit: unregisters records or entries that are used after all, or removed. */
  unregister(kind: GarbageKind, id: number): void;
  has(kind: GarbageKind, id: number): boolean;
  list(): { kind: GarbageKind; id: number }[];
  /** Signals that there may be garbage to remove. */
  wake(): void;
  /** Called by {@link Garbage.wake} and {@link Garbage.add}. */
  onWake: () => void;
}

const PREFIX = Buffer.from('\0waste');
const KINDS: readonly GarbageKind[] = ['records', 'entries'];
/** The delay before a retry after a failure, most likely a full disk. */
const PAUSE_MS = 5000;

function keyOf(kind: GarbageKind, id: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(KINDS.indexOf(kind), 0);
  tail.writeUInt32BE(id, 1);
  return Buffer.concat([PREFIX, tail]);
}

export function createGarbage({ catalog }: Pick<Storage, 'catalog'>): Garbage {
  const garbage: Garbage = {
    add(kind, id) {
      catalog.putSync(keyOf(kind, id), Buffer.alloc(0));
      garbage.onWake();
    },
    unregister: (kind, id) => void catalog.removeSync(keyOf(kind, id)),
    has: (kind, id) => catalog.get(keyOf(kind, id)) !== undefined,
    list: () =>
      [...catalog.getKeys({ ...prefixRange(PREFIX) })].map((key) => ({
        kind: KINDS[key[PREFIX.length]!]!,
        id: key.readUInt32BE(PREFIX.length + 1),
      })),
    wake: () => garbage.onWake(),
    onWake: () => undefined,
  };
  return garbage;
}

export interface CleaningParts {
  storage: Storage;
  queue: WriteQueue;
  garbage: Garbage;
  /** Whether entries belong to an unfinished build and are garbage only if the process ends now. */
  isBuilding(indexId: number): boolean;
}

/**
 * Removes garbage in small steps between other writes, now and whenever more is added; returns a function that stops
 * it.
 */
export function startCleaning({ storage, queue, garbage, isBuilding }: CleaningParts): () => void {
  let isRunning = false;
  let isStopped = false;
  let again: NodeJS.Timeout | undefined;
  const next = () => garbage.list().find(({ kind, id }) => kind === 'records' || !isBuilding(id));

  async function clean(): Promise<void> {
    for (let found = next(); found && !isStopped; found = isStopped ? undefined : next()) {
      const { kind, id } = found;
      await queue.run(() => {
        const isGone = kind === 'records' ? storage.clearRecords(id, newSlice()) : storage.clearEntries(id, newSlice());
        if (isGone) garbage.unregister(kind, id);
      });
    }
  }

  function start(): void {
    if (isStopped) return;
    clean().then(
      () => {
        isRunning = false;
      },
      () => {
        again = setTimeout(start, PAUSE_MS).unref();
      },
    );
  }

  garbage.onWake = () => {
    if (isRunning || isStopped) return;
    isRunning = true;
    setImmediate(start);
  };
  garbage.onWake();
  return () => {
    isStopped = true;
    clearTimeout(again);
  };
}
