import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { checkPages } from './check-file.ts';
import { readMeta } from './meta.ts';
import { openPageFile } from './page-file.ts';

/** Bytes overwritten by one call of the system. */
const CHUNK = 1024 * 1024;

/**
 * Overwrites what the newest snapshot of a file does not use: free pages, and the rest of used ones, in which LMDB leaves
 * deleted and moved rows. No process may have the file open. Only the newest snapshot can be read afterwards.
 */
export function eraseUnusedBytes(path: string): void {
  const file = openPageFile(path);
  const descriptor = openSync(path, 'r+');
  const zeros = Buffer.alloc(CHUNK);
  try {
    fsyncSync(descriptor);
    const meta = readMeta(path, file.descriptor);
    const size = meta.filePages * meta.pageSize;
    const unused: Array<[from: number, to: number]> = [];
    const onUnused = (from: number, to: number) => {
      if (from < Math.min(to, size)) unused.push([from, Math.min(to, size)]);
    };
    checkPages(file, meta, { sums: { counted: new Map(), kept: undefined }, onUnused });
    for (const [from, to] of unused) {
      for (let at = from; at < to; at += CHUNK) writeSync(descriptor, zeros, 0, Math.min(CHUNK, to - at), at);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    file.close();
  }
}
