import { closeSync, openSync, readSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown for a failed write to disk; its whole transaction must be rolled back. */
export class StorageFailure extends Error {}

/** Thrown when the disk has no space for a write. */
export class DiskFullError extends StorageFailure {}

/** Ensures that the disk has the space that each commit needs. */
export interface DiskSpace {
  /** Called at the start of a commit. @throws DiskFullError */
  begin(): void;
  /** Announces that this many more bytes will be written in the commit. @throws DiskFullError */
  take(bytes: number): void;
  /** Between commits: checks the space for a later commit, which then need not check it. @throws DiskFullError */
  reserve(bytes: number): void;
}

const MIB = 1024 * 1024;
/** Bytes that a commit may write in addition to those announced by {@link DiskSpace.take}. */
const MARGIN = MIB;
/** Space is checked in steps of this size. */
const STEP = 4 * MIB;
/** The largest trial write; beyond it the free space that the file system reports is trusted. */
const LARGEST_TRIAL = 16 * MIB;
/** Other programs use the disk too, so its free space is checked again after this time. */
const CHECK_INTERVAL_MS = 100;
const PAGE = 4096;
/** Error codes for an exhausted disk, quota or file size limit. */
const FULL_DISK_CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isDiskFull = (error: unknown): boolean => FULL_DISK_CODES.has((error as NodeJS.ErrnoException).code);

/**
 * Prevents commits that might exceed the free disk space. LMDB rolls back failed writes, but some failures make it
 * overrun a buffer with its error message and crash the process. The file system reports its free space; quotas and
 * limits show only in an attempt, so the same number of bytes is first written to a probe file, at the same offset.
 */
export function watchDiskSpace(folder: string): DiskSpace {
  let size = 0;
  let neededBytes = 0;
  /** The size up to which the store may grow without another check. */
  let ensuredTo = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** Start, end and time of the last successful trial write. */
  let lastTrial = { from: -1, end: 0, at: 0 };

  function checkFree(bytes: number): void {
    assertFree(folder, bytes);
    checkedAt = performance.now();
  }

  function ensureSpace(): void {
    checkFree(neededBytes + STEP);
    const end = size + Math.min(neededBytes + STEP, LARGEST_TRIAL);
    // A commit that grows beyond the largest trial write would only repeat it.
    const isRepeated =
      lastTrial.from === size && lastTrial.end >= end && performance.now() - lastTrial.at < CHECK_INTERVAL_MS;
    if (!isRepeated) {
      tryToWrite({ folder, from: size, bytes: end - size });
      lastTrial = { from: size, end, at: performance.now() };
    }
    ensuredTo = size + neededBytes + STEP;
  }

  function measure(): void {
    size = statSync(join(folder, 'store.mdb')).size;
    neededBytes = MARGIN;
  }

  return {
    begin() {
      measure();
      if (size + neededBytes > ensuredTo) ensureSpace();
      else if (performance.now() - checkedAt > CHECK_INTERVAL_MS) checkFree(neededBytes);
    },
    take(bytes) {
      neededBytes += bytes;
      if (size + neededBytes > ensuredTo) ensureSpace();
    },
    reserve(bytes) {
      measure();
      neededBytes += bytes;
      if (size + neededBytes > ensuredTo) ensureSpace();
    },
  };
}

/**
 * Asserts that LMDB can open the store. LMDB maps its reader table into memory, and writing to a page of it for which
 * the disk has no space would crash the process; a new store that does not fit would remain as a damaged one.
 *
 * @throws DiskFullError with a human-readable message
 */
export function requireSpaceToOpen(folder: string): void {
  const isNew = (statSync(join(folder, 'store.mdb'), { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (!isNew && isAllocated(join(folder, 'store.mdb-lock'))) return;
  try {
    const bytes = isNew ? MARGIN + STEP : MARGIN;
    assertFree(folder, bytes);
    tryToWrite({ folder, from: 0, bytes });
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error;
    throw new DiskFullError(`the disk of ${folder} is full (${error.message}): free some space, then start again`);
  }
}

function isAllocated(file: string): boolean {
  const { size, blocks } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, blocks: 0 };
  return size > 0 && blocks * 512 >= size;
}

function assertFree(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes) throw new DiskFullError(`less than ${Math.ceil(bytes / MIB)} MiB left`);
}

interface Trial {
  folder: string;
  /** The length of the store's file, at which the trial write starts. */
  from: number;
  bytes: number;
}

function tryToWrite({ folder, from, bytes }: Trial): void {
  const path = join(folder, 'room.probe');
  let written = 0;
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      const zeros = Buffer.alloc(MIB);
      while (written < bytes) written += writeSync(file, zeros, 0, Math.min(MIB, bytes - written), from + written);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isDiskFull(error)) throw new DiskFullError(String((error as Error).message));
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Whether the disk has space for writes. */
export function hasDiskSpace(folder: string): boolean {
  try {
    watchDiskSpace(folder).begin();
    return true;
  } catch (error) {
    if (error instanceof DiskFullError) return false;
    throw error;
  }
}

/**
 * Allocates LMDB's reader table on disk. The file is mapped into memory and sparse: the first write to one of its pages
 * on a full disk would crash the process. Must be called right after the store was opened. The descriptor is never
 * closed: closing any descriptor of a file releases all locks of the process on it, including LMDB's, and the next
 * process to open the store would clear the reader table.
 */
export function allocateReaderTable(folder: string): void {
  const path = join(folder, 'store.mdb-lock');
  const { size, blocks } = statSync(path);
  if (blocks * 512 >= size) return;
  const file = openSync(path, 'r+');
  try {
    const page = Buffer.alloc(PAGE);
    for (let at = 0; at < size; at += PAGE) {
      const length = readSync(file, page, 0, PAGE, at);
      // Pages in use are allocated already.
      if (page.every((byte) => byte === 0)) writeSync(file, page, 0, length, at);
    }
  } catch (error) {
    // No space now; the next start tries again.
    if (!isDiskFull(error)) throw error;
  }
}
