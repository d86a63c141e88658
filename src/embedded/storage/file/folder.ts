import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BSON } from 'bson';
import { ensureFolder } from '../../../lib/ensure-folder.ts';
import { syncPathNow } from '../../../lib/sync-path.ts';
import type { Storage } from '../storage.ts';
import { markCreation } from './creation-mark.ts';
import { DiskFullError, isDiskFull, requireSpaceToOpen } from './disk-space.ts';
import { importFolderOf } from './import-folder.ts';
import { restoreFolderOf } from './restore-folder.ts';

/**
 * The version of the layout on disk; a folder of a newer version is refused. Format 2 (after 0.1.0, which has format 1)
 * added the change log: an older version would write changes that change streams miss. Format 3 added checksums of
 * records and sums of index entries, which an older version would not maintain.
 */
const FORMAT = 3;
/** Earlier formats. They only lack additions, which this version makes in place. */
const UPGRADED = [1, 2];
/** `sun_path` has at least 104 bytes, including the terminator, on all supported systems. */
const LONGEST_SOCKET_PATH = 103;
const OWNER_KEY = Buffer.from('\0owner');
/** The key of the last term, which a clean close keeps when it removes the owner. */
const TERM_KEY = Buffer.from('\0term');
/** The file that a compaction writes next to the store; one left behind was interrupted and is removed. */
export const COMPACTED = 'store.mdb.compacted';

/**
 * Prepares the data folder: creates it if needed, restricts access to its owner, and checks its format.
 *
 * @throws Error with a human-readable message if a newer version wrote the folder, it is not a store, the disk is too
 *   full to open it, or a restore or an import was interrupted before the new store was in place
 */
export async function prepareFolder(folder: string): Promise<void> {
  await ensureFolder(resolve(folder));
  chmodSync(folder, 0o700);
  requireSpaceToOpen(folder);
  const imported = importFolderOf(folder);
  if (existsSync(imported)) {
    throw new Error(
      `${imported} contains an unfinished import: continue it with npm run store -- import … --resume, or remove it`,
    );
  }
  if (existsSync(join(folder, 'format.json'))) {
    checkFormat(folder);
    return;
  }
  if (existsSync(join(folder, 'store.mdb'))) throw new Error(`${folder} contains a store but no format.json`);
  const restored = restoreFolderOf(dirname(resolve(folder)));
  if (existsSync(restored)) {
    throw new Error(`a restore was interrupted: rename ${restored} to ${dirname(folder)}, or remove it`);
  }
  markCreation(folder);
  writeFormat(folder);
}

const FORMAT_TEXT = JSON.stringify({ store: 'colloquy-embedded', format: FORMAT });

/**
 * Writes the format file atomically, even if the power fails.
 *
 * @throws DiskFullError
 */
function writeFormat(folder: string): void {
  const file = join(folder, 'format.json');
  try {
    writeFileSync(`${file}.new`, `${FORMAT_TEXT}\n`, { mode: 0o600 });
    syncPathNow(`${file}.new`);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw isDiskFull(error) ? new DiskFullError((error as Error).message) : error;
  }
  renameSync(`${file}.new`, file);
  syncPathNow(folder);
}

/**
 * Reads the format of a folder's store.
 *
 * @throws Error with a human-readable message if a newer version wrote it, it is not a store, or the file cannot be
 *   read
 */
export function checkFormat(folder: string): number {
  const file = join(folder, 'format.json');
  const format = readFormat(readFileSync(file, 'utf8'));
  if (format === FORMAT || UPGRADED.some((known) => known === format)) return format as number;
  if (format === undefined) {
    throw new Error(`${file} is damaged; if this release wrote the store, it must contain ${FORMAT_TEXT}`);
  }
  throw new Error(
    `${folder} has store format ${String(format)}, this release reads formats up to ${FORMAT}; use the release that wrote it`,
  );
}

/** Undefined if the text contains no format. */
function readFormat(text: string): unknown {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format;
  } catch {
    return undefined;
  }
}

interface Owner {
  pid: number;
  /** Distinguishes the process from a later one with the same pid. */
  startedAt: string;
  socket: string;
  nonce: string;
  /** Absent in a store last served by an earlier version. */
  term?: number;
}

export interface Claim {
  /** The socket on which the owner must listen. */
  socket: string;
  /** Increases with every claim; the current time unless the clock was set back. */
  term: number;
  release(): void;
  /** Releases the folder without changing the store, which has been replaced. */
  abandon(): void;
}

/**
 * Claims the folder for this process. The owner is a record in the store, written under LMDB's write lock, which the
 * operating system releases when a process dies: of two concurrent starts only one succeeds, and a killed process
 * leaves nothing to clean up.
 *
 * @throws Error with the owner's pid if another live process owns the folder
 */
export async function claimFolder(folder: string, storage: Storage): Promise<Claim> {
  const before = readOwner(storage);
  if (before && (await isAlive(before))) throw new InUseError(folder, before.pid);
  // A restarted thread of this process keeps the socket of the one that died: clients are connected to its path.
  const isRestart = before?.pid === process.pid && before.startedAt === startOf(process.pid);
  const socket = isRestart && existsSync(dirname(before.socket)) ? before.socket : socketPath(folder);
  if (await answers(socket)) throw new InUseError(folder, undefined);
  if (before && before.socket !== socket) removeSocket(folder, before.socket);

  const term = Math.max(Date.now(), (before?.term ?? 0) + 1, lastTerm(storage) + 1);
  const owner: Owner = { pid: process.pid, startedAt: startOf(process.pid), socket, nonce: randomUUID(), term };
  const write = (): void => {
    assertSameFile(folder, storage);
    let isMine = false;
    storage.commit(() => {
      isMine = readOwner(storage)?.nonce === before?.nonce;
      if (!isMine) return;
      storage.catalog.putSync(OWNER_KEY, BSON.serialize(owner) as Buffer);
      storage.catalog.putSync(TERM_KEY, BSON.serialize({ term }) as Buffer);
    });
    if (!isMine) throw new InUseError(folder, readOwner(storage)?.pid);
  };
  const stopRetrying = isSocketInside(folder, socket) ? writeWhenDiskHasSpace(storage, write) : write();
  assertSameFile(folder, storage);
  // From the next commit on, older versions must not write. On a full disk there is no commit.
  if (checkFormat(folder) !== FORMAT) storage.beforeCommit(() => writeFormat(folder));
  rmSync(owner.socket, { force: true });
  for (const name of [COMPACTED, `${COMPACTED}-lock`]) rmSync(join(folder, name), { force: true });
  return {
    socket: owner.socket,
    term,
    release() {
      stopRetrying?.();
      try {
        removeOwner(storage);
      } catch (error) {
        // On a full disk the record stays; the next start finds a dead owner.
        if (!storage.isFull()) throw error;
      }
      removeSocket(folder, owner.socket);
    },
    abandon() {
      stopRetrying?.();
      removeSocket(folder, owner.socket);
    },
  };
}

const RETRY_MS = 5000;

/**
 * Stores the owner. On a full disk, where reads must still work, the socket in the folder protects it, since only one
 * process can listen on it, and the write is retried. Returns a function that stops the retries.
 */
function writeWhenDiskHasSpace(storage: Storage, write: () => void): (() => void) | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof InUseError || !storage.isFull()) throw error;
  }
  const retry = setInterval(() => {
    if (storage.isFull()) return;
    try {
      write();
    } catch {
      return;
    }
    clearInterval(retry);
  }, RETRY_MS).unref();
  return () => clearInterval(retry);
}

/** Between opening and claiming, a compaction may have replaced the opened file. */
function assertSameFile(folder: string, { inode }: Storage): void {
  if (inode !== undefined && inode !== statSync(join(folder, 'store.mdb')).ino) {
    throw new Error(`the store in ${folder} was replaced while it was being opened; start again`);
  }
}

/** Removes the owner record, for example from a copy. */
export function removeOwner(storage: Storage): void {
  storage.commit(() => storage.catalog.removeSync(OWNER_KEY));
}

/** A description of the process that serves the folder's store, if any. */
export async function findLiveOwner(folder: string, storage: Storage): Promise<string | undefined> {
  const owner = readOwner(storage);
  if (owner && (await isAlive(owner))) return `process ${owner.pid}`;
  // On a full disk the owner may not have been recorded.
  return (await isServed(folder)) ? 'another process' : undefined;
}

/** The socket on which a process answers for the folder's store, if any. */
export async function findLiveSocket(folder: string, storage: Storage): Promise<string | undefined> {
  const inside = resolve(folder, 'store.sock');
  const socket = readOwner(storage)?.socket ?? inside;
  if (await answers(socket)) return socket;
  return (await isServed(folder)) ? inside : undefined;
}

/** Whether a process answers on the socket in the folder; works even if the store cannot be opened. */
export const isServed = (folder: string): Promise<boolean> => answers(resolve(folder, 'store.sock'));

class InUseError extends Error {
  constructor(folder: string, pid: number | undefined) {
    super(`the data folder ${folder} is in use by process ${pid ?? 'unknown'}; one process at a time may open it`);
  }
}

/** Whether a row of the catalog table, read without LMDB, names a live process that serves the store. */
export async function namesLiveOwner({ key, value }: { key: Buffer; value: Buffer }): Promise<boolean> {
  if (!key.equals(OWNER_KEY)) return false;
  let owner: Partial<Owner>;
  try {
    owner = BSON.deserialize(value);
  } catch {
    // A damaged row names no process.
    return false;
  }
  const { pid, startedAt, socket } = owner;
  if (!Number.isInteger(pid) || typeof startedAt !== 'string' || typeof socket !== 'string') return false;
  return isAlive({ pid: pid!, startedAt, socket });
}

function readOwner(storage: Storage): Owner | undefined {
  const bytes = storage.catalog.get(OWNER_KEY);
  return bytes && (BSON.deserialize(bytes) as Owner);
}

function lastTerm(storage: Storage): number {
  const bytes = storage.catalog.get(TERM_KEY);
  return bytes ? BSON.deserialize(bytes).term : 0;
}

/** An owner is alive while its socket answers or its process runs: it may be starting or closing. */
async function isAlive(owner: Pick<Owner, 'pid' | 'startedAt' | 'socket'>): Promise<boolean> {
  if (await answers(owner.socket)) return true;
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startOf(owner.pid) === owner.startedAt;
}

function answers(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      done(true);
    });
    probe.once('error', () => done(false));
  });
}

/** The start time of a process in clock ticks, as Linux reports it; empty without /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** The socket in the data folder, or in a private temporary folder if that path is too long. */
function socketPath(folder: string): string {
  const inside = resolve(folder, 'store.sock');
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside;
  return join(mkdtempSync(join(tmpdir(), 'colloquy-')), 'store.sock');
}

const isSocketInside = (folder: string, socket: string): boolean => dirname(socket) === resolve(folder);

function removeSocket(folder: string, socket: string): void {
  rmSync(socket, { force: true });
  if (!isSocketInside(folder, socket)) rmSync(dirname(socket), { recursive: true, force: true });
}
