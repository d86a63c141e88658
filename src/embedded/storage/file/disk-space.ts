import { closeSync, openSync, readSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A write that the disk did not take: nothing of its transaction may stay. */
export class StorageFailure extends Error {}

/** There is no room for a write. */
export class DiskFullError extends StorageFailure {}

/** Watches over the room that commits need, one commit after another. */
export interface DiskSpace {
  /** A commit begins. @throws DiskFullError */
  begin(): void;
  /** So many bytes more are going to be written in it. @throws DiskFullError */
  take(bytes: number): void;
  /** Between commits: checks for the room that a later one is going to take, so that it has nothing to check. @throws DiskFullError */
  reserve(bytes: number): void;
}

const MIB = 1024 * 1024;
/** What a commit may write beyond what it announces. */
const MARGIN = MIB;
/** DiskSpace is asked for in steps of this size. */
const STEP = 4 * MIB;
/** More than this is not written as a try: beyond, the disk's own word must do. */
const LARGEST_TRY = 16 * MIB;
/** The disk is shared with others, so it is looked at again after so long. */
const LOOK_MS = 100;
const PAGE = 4096;
/** What the system says where a disk, a quota or a limit on the size of files is exhausted. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isDiskFull = (error: unknown): boolean => NO_ROOM.has((error as NodeJS.ErrnoException).code);

/**
 * Lets no commit begin that the disk might not take. lmdb undoes what it could not write, but some ways in which a
 * write fails make it overrun a buffer with its message and end the process, so it must not come to that. The disk
 * says how much is free; quotas and limits tell only by trying, so as much is written as far into a file of its own
 * before the store grows into it.
 */
export function watchDiskSpace(folder: string): DiskSpace {
  let size = 0;
  let wanted = 0;
  /** The store may grow up to here. */
  let promised = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Where the last try that succeeded began and ended, and when. */
  let tried = { from: -1, end: 0, at: 0 };

  function look(bytes: number): void {
    assertFree(folder, bytes);
    lookedAt = performance.now();
  }

  function ask(): void {
    look(wanted + STEP);
    const end = size + Math.min(wanted + STEP, LARGEST_TRY);
    // A commit that grows beyond the largest try would only repeat it.
    const isTried = tried.from === size && tried.end >= end && performance.now() - tried.at < LOOK_MS;
    if (!isTried) {
      tryToWrite({ folder, from: size, bytes: end - size });
      tried = { from: size, end, at: performance.now() };
    }
    promised = size + wanted + STEP;
  }

  function measure(): void {
    size = statSync(join(folder, 'store.mdb')).size;
    wanted = MARGIN;
  }

  return {
    begin() {
      measure();
      if (size + wanted > promised) ask();
      else if (performance.now() - lookedAt > LOOK_MS) look(wanted);
    },
    take(bytes) {
      wanted += bytes;
      if (size + wanted > promised) ask();
    },
    reserve(bytes) {
      measure();
      wanted += bytes;
      if (size + wanted > promised) ask();
    },
  };
}

/**
 * Asserts that lmdb can open the store. It maps the table of readers into memory, and writing to a page of it that the
 * disk has no place for would end the process; a new store that does not fit would stay behind as a damaged one.
 *
 * @throws DiskFullError with a text for people
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

interface Try {
  folder: string;
  /** The length of the store's file, from which on the try writes. */
  from: number;
  bytes: number;
}

function tryToWrite({ folder, from, bytes }: Try): void {
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

/** Whether the store takes writes. */
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
 * Gives lmdb's table of readers its place on the disk. The file is mapped into memory and sparse: a page of it that is
 * first written to when the disk is full would end the process. To be called when the store has just been opened.
 *
 * The descriptor stays open for good. Closing any descriptor of a file gives up all locks that the process has on it,
 * lmdb's among them: whoever opened the store next would think itself alone and clear the table of readers.
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
      // What is in use has its place already.
      if (page.every((byte) => byte === 0)) writeSync(file, page, 0, length, at);
    }
  } catch (error) {
    // No room now: then it stays as it is until the next start.
    if (!isDiskFull(error)) throw error;
  }
}
