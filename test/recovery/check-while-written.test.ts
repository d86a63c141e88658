import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SchemaBuilder from '@pothos/core';
import { expect, it, vi } from 'vitest';
import type * as PageFiles from '../../src/embedded/storage/file/page-file.ts';

/** Replaces a page that was read. */
let changePage = (page: Buffer): Buffer => page;
vi.mock('../../src/embedded/storage/file/page-file.ts', async (original) => {
  const { openPageFile } = await original<typeof PageFiles>();
  return {
    openPageFile(path: string) {
      const file = openPageFile(path);
      return { ...file, read: (page: number, pageSize: number) => changePage(file.read(page, pageSize)) };
    },
  };
});

/** Four bytes of the index id, four of the value. */
const keyOf = (n: number): Buffer => Buffer.from([0, 0, 0, 7, 0, 0, n >> 8, n & 0xff]);

it('re-reads an index that another process changed while its entries were counted', async () => {
  // Test files share a worker's modules: an earlier file may have loaded the page reader, and a later file registers the
  // plugins of the schema again.
  SchemaBuilder.allowPluginReRegistration = true;
  vi.resetModules();
  const { checkFile, findDamagedIndexes } = await import('../../src/embedded/storage/file/check-file.ts');
  const { openStorage } = await import('../../src/embedded/storage/storage.ts');
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-check-'));
  const storage = openStorage({ folder, isMemory: true });
  storage.commit(() => {
    for (let n = 1; n <= 500; n++) storage.putEntry(keyOf(n), n);
  });
  let changes = 0;
  // As if the page had been reused for later entries of the same index.
  changePage = (page) => {
    const at = page.indexOf(keyOf(300));
    if (changes > 0 || at < 0) return page;
    changes++;
    storage.commit(() => storage.putEntry(keyOf(501), 501));
    const other = Buffer.from(page);
    other[at + 15]! ^= 1;
    return other;
  };
  expect(findDamagedIndexes(checkFile(join(folder, 'store.mdb')))).toEqual([]);
  expect(changes).toBe(1);
  await storage.close();
  await rm(folder, { recursive: true });
  vi.resetModules();
});
