import { newSlice } from '../lib/index.ts';
import type { WriteQueue } from './group-commit.ts';
import { prefixRange, type Storage } from './storage.ts';

export type GarbageKind = 'records' | 'entries';

/**
 * What is in the tables and belongs to nothing: the records and entries of what was dropped, which are out of reach at
 * once and removed bit by bit, and the entries of an index that is being filled, which a crash would leave behind.
 * It is written down in the catalog's table under keys that no collection can have.
 */
export interface Garbage {
  /** Inside a commit: the records of a collection or the entries of an index are garbage. */
  add(kind: GarbageKind, id: number): void;
  /** Inside a commit: they are of use after all, or gone. */
  takeBack(kind: GarbageKind, id: number): void;
  has(kind: GarbageKind, id: number): boolean;
  list(): { kind: GarbageKind; id: number }[];
  /** There may be something to remove. */
  wake(): void;
  /** Called by {@link Garbage.wake} and {@link Garbage.add}. */
  onWake: () => void;
}

const PREFIX = Buffer.from('\0waste');
const KINDS: readonly GarbageKind[] = ['records', 'entries'];
/** After a failure, which most likely is a full disk. */
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
    takeBack: (kind, id) => void catalog.removeSync(keyOf(kind, id)),
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
  /** Entries that are garbage only if the process ends now. */
  isBuilding(indexId: number): boolean;
}

/** Removes what is garbage between the writes of others, now and whenever there is more; returns how to stop. */
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
        if (isGone) garbage.takeBack(kind, id);
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
