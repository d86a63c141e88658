import { closeSync, fstatSync, openSync, readSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A failed write with less room than this failed for lack of room; lmdb itself reports an I/O error. */
const LEAST_ROOM = 1024 * 1024;
const PAGE = 4096;
/** What the system says where a disk, a quota or a limit on the size of files is exhausted. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Whether the store's file could grow. The disk is asked first; quotas and limits tell only by trying, so as much is
 * written as far into a file of its own. To be called after a failure, not before each write.
 */
export function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEAST_ROOM) return false;
  const probe = join(folder, 'room.probe');
  try {
    const { size } = statSync(join(folder, 'store.mdb'));
    const file = openSync(probe, 'w', 0o600);
    try {
      return writeSync(file, Buffer.alloc(LEAST_ROOM), 0, LEAST_ROOM, size) === LEAST_ROOM;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return !NO_ROOM.has((error as NodeJS.ErrnoException).code);
  } finally {
    rmSync(probe, { force: true });
  }
}

/**
 * Gives lmdb's table of readers its place on the disk. The file is mapped into memory and sparse: a page of it that is
 * first written to when the disk is full would end the process. To be called when the store has just been opened.
 */
export function allocateReaderTable(folder: string): void {
  const file = openSync(join(folder, 'store.mdb-lock'), 'r+');
  try {
    const { size, blocks } = fstatSync(file);
    if (blocks * 512 >= size) return;
    const page = Buffer.alloc(PAGE);
    for (let at = 0; at < size; at += PAGE) {
      const length = readSync(file, page, 0, PAGE, at);
      // What is in use has its place already.
      if (page.every((byte) => byte === 0)) writeSync(file, page, 0, length, at);
    }
  } catch (error) {
    // No room now: then it stays as it is until the next start.
    if (!NO_ROOM.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    closeSync(file);
  }
}
