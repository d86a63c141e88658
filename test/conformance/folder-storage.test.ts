import { readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFolderStorage } from '../../src/files/folder-storage.ts';
import { StorageError } from '../../src/files/storage-error.ts';

let dataDir: string;
let folder: string;
/** The prototype of all file handles. */
let handles: FileHandle;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'colloquy-files-'));
  folder = join(dataDir, 'files');
  const handle = await open(dataDir);
  handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(dataDir, { recursive: true }));

/** Records the folders that are flushed, with their entries at that time. */
function watchFlushes() {
  const flushed: Array<[path: string, entries: string[]]> = [];
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    flushed.push([path, (await readdir(path)).sort()]);
  });
  return flushed;
}

test('flushes the folders that name a stored file', async () => {
  const flushed = watchFlushes();
  const storage = createFolderStorage(dataDir);
  for (const fileId of ['one', 'two']) await storage.put(fileId, Readable.from([Buffer.from(fileId)]));
  expect(flushed).toEqual([
    [dataDir, ['files']],
    [folder, ['one']],
    [folder, ['one', 'two']],
  ]);
});

test('flushes the folder of a removed file', async () => {
  const storage = createFolderStorage(dataDir);
  await storage.put('removed', Readable.from([Buffer.from('removed')]));
  const flushed = watchFlushes();
  // The removal may have been interrupted before the flush, and is repeated.
  for (const _ of [1, 2]) await storage.remove('removed');
  const left = [folder, ['one', 'two']];
  expect(flushed).toEqual([left, left]);
});

test('reports a file that cannot be opened or removed, and null for one that does not exist', async () => {
  const storage = createFolderStorage(dataDir);
  await mkdir(folder, { recursive: true });
  await symlink('loop', join(folder, 'loop'));
  await mkdir(join(folder, 'directory'));
  expect(await storage.get('none')).toBeNull();
  await expect(storage.get('loop')).rejects.toThrow(StorageError);
  await storage.remove('none');
  await expect(storage.remove('directory')).rejects.toThrow(StorageError);
});
