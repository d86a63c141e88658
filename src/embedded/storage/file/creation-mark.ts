import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncPathNow } from '../../../lib/sync-path.ts';

/** This file exists from before LMDB creates the file of a new store until that file has its first pages. */
const markIn = (folder: string): string => join(folder, 'store.mdb.creating');

export const markCreation = (folder: string): void => writeFileSync(markIn(folder), '', { mode: 0o600 });

/**
 * Whether the file of a store is empty because a process ended while it created the store. Any other empty file has
 * lost its content.
 */
export function isUnfinished(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0 && existsSync(markIn(dirname(path)));
}

/** Must be called when LMDB has opened the store. */
export function clearCreationMark(folder: string): void {
  if (!existsSync(markIn(folder))) return;
  syncPathNow(join(folder, 'store.mdb'));
  rmSync(markIn(folder), { force: true });
}
