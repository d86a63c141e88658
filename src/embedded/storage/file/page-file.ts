import { closeSync, openSync, readSync } from 'node:fs';
import { PAGE_HEADER } from './meta.ts';

/** Reads pages of a file that other processes may write. */
export interface PageFile {
  descriptor: number;
  /** Returns a page, valid until the next read. */
  read(page: number, pageSize: number): Buffer;
  /** Reads the value that starts on this page, without the page header. */
  readValue(page: number, pages: number, pageSize: number): Buffer;
  /** Drops cached blocks. */
  forget(): void;
  close(): void;
}

const BLOCK = 64 * 1024;
const BLOCKS = 256;

/** Caches the blocks read last, because related pages are often adjacent. */
export function openPageFile(path: string): PageFile {
  const descriptor = openSync(path, 'r');
  const blocks = new Map<number, Buffer>();

  function load(number: number): Buffer {
    const block = (blocks.size < BLOCKS ? undefined : dropOldest()) ?? Buffer.allocUnsafe(BLOCK);
    const length = readSync(descriptor, block, 0, BLOCK, number * BLOCK);
    block.fill(0, length);
    blocks.set(number, block);
    return block;
  }

  function dropOldest(): Buffer | undefined {
    const [oldest] = blocks;
    if (oldest) blocks.delete(oldest[0]);
    return oldest?.[1];
  }

  return {
    descriptor,
    read(page, pageSize) {
      const at = page * pageSize;
      const number = Math.floor(at / BLOCK);
      const block = blocks.get(number) ?? load(number);
      return block.subarray(at - number * BLOCK, at - number * BLOCK + pageSize);
    },
    readValue(page, pages, pageSize) {
      const value = Buffer.alloc(pages * pageSize - PAGE_HEADER);
      readSync(descriptor, value, 0, value.length, page * pageSize + PAGE_HEADER);
      return value;
    },
    forget: () => blocks.clear(),
    close: () => closeSync(descriptor),
  };
}
