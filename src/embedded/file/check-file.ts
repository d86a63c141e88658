import { existsSync, statSync } from 'node:fs';
import { BIG_VALUE, checkTree, createPageSet, PageFault, type PageSet, SUB_TREE } from './check-tree.ts';
import { DamagedFileError } from './damaged-file.ts';
import { type Meta, readMeta, readNumber, readTreeInfo, TREE_INFO_SIZE, type TreeInfo } from './meta.ts';
import { openPageFile, type PageFile } from './page-file.ts';

/** How often a file is read again that another process writes to. */
const TRIES = 5;

/**
 * Checks the head and the length of a store's file, which lmdb trusts when it maps the file into memory.
 *
 * @throws DamagedFileError
 */
export function checkHead(path: string): void {
  if (!existsSync(path)) return;
  // lmdb takes an empty file for a new store.
  if (statSync(path).size === 0) throw new DamagedFileError(path, 'it is empty');
  const file = openPageFile(path);
  try {
    readMeta(path, file.descriptor);
  } finally {
    file.close();
  }
}

/**
 * Checks the structure of a store's file: its head and length, every branch and leaf page, and the list of free pages.
 * lmdb itself trusts its pages and would end the process on one that is none. Reads the file without lmdb.
 *
 * @param isPinned a reader keeps the newest snapshot as it is while another process writes
 * @throws DamagedFileError
 */
export function checkFile(path: string, isPinned = false): void {
  checkHead(path);
  if (!existsSync(path)) return;
  const file = openPageFile(path);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const meta = readMeta(path, file.descriptor, isPinned);
      const fault = findFault(file, meta);
      if (fault === undefined) return;
      // Another process may have reused pages meanwhile; it is refused the folder later, or this one is.
      const isOverwritten = !isPinned && readMeta(path, file.descriptor).transaction !== meta.transaction;
      if (!isOverwritten) throw new DamagedFileError(path, fault);
      file.forget();
    }
  } finally {
    file.close();
  }
}

function findFault(file: PageFile, meta: Meta): string | undefined {
  try {
    const used = createPageSet(meta.lastPage + 1);
    const trees: [string, TreeInfo][] = [];
    const sizes: [number, number][] = [];
    checkTree({
      ...{ file, meta, used, tree: meta.tables, name: 'of tables' },
      onRow({ page, key: [start, end], value: [from, to], flags }) {
        if (flags !== SUB_TREE || to - from !== TREE_INFO_SIZE)
          throw new PageFault('the table of tables has a row that is none');
        trees.push([page.toString('utf8', start, end).replace(/\0$/, ''), readTreeInfo(page, from)]);
      },
    });
    for (const [name, tree] of trees) checkTree({ file, meta, used, tree, name });
    const free: number[] = [];
    checkTree({
      ...{ file, meta, used, tree: meta.freePages, name: 'of free pages', hasNumericKeys: true },
      onRow({ page, value: [from, to], flags }) {
        if ((flags & BIG_VALUE) !== 0) sizes.push([readNumber(page, from), readNumber(page, from + 16)]);
        else readFreePages(page.subarray(from, to), free);
      },
    });
    for (const [first, pages] of sizes) readFreePages(file.readValue(first, pages, meta.pageSize), free);
    checkFree(free, used, meta);
    return undefined;
  } catch (error) {
    if (error instanceof PageFault || error instanceof RangeError) return error.message;
    throw error;
  }
}

/** A number of words, then that many: a page, or the negative length of a run of pages and the first of them. */
function readFreePages(list: Buffer, free: number[]): void {
  const words = readNumber(list, 0);
  if ((words + 1) * 8 > list.length) throw new PageFault('a list of free pages is longer than its row');
  for (let at = 8; at <= words * 8; at += 8) {
    const word = Number(list.readBigInt64LE(at));
    if (word === 0) continue;
    if (word > 0) {
      free.push(word, 1);
      continue;
    }
    at += 8;
    free.push(readNumber(list, at), -word);
  }
}

function checkFree(free: readonly number[], used: PageSet, { lastPage }: Meta): void {
  for (let i = 0; i < free.length; i += 2) {
    const [first, pages] = [free[i]!, free[i + 1]!];
    if (first < 2 || first + pages - 1 > lastPage) throw new PageFault(`page ${first} is free but does not exist`);
    for (let page = first; page < first + pages; page++) {
      if (!used.add(page)) throw new PageFault(`page ${page} is free and in use`);
    }
  }
}
