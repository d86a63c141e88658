import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { addTo, type EntrySum, indexOfSum, newSum, readSum, SUMS_KEPT } from '../entry-sums.ts';
import {
  BIG_VALUE,
  checkTree,
  createPageSet,
  PageFault,
  type PageSet,
  SUB_TREE,
  type TreeCheck,
} from './check-tree.ts';
import { isUnfinished } from './creation-mark.ts';
import { DamagedFileError } from './damaged-file.ts';
import { type Meta, readMeta, readNumber, readTreeInfo, TREE_INFO_SIZE, type TreeInfo } from './meta.ts';
import { openPageFile, type PageFile } from './page-file.ts';

/** How often a check is repeated while another process writes to the file. */
const TRIES = 5;

/**
 * Checks the meta pages and the length of a store's file, which LMDB trusts when it maps the file into memory.
 *
 * @throws DamagedFileError
 */
export function checkHead(path: string): void {
  if (!existsSync(path) || isUnfinished(path)) return;
  // LMDB treats an empty file as a new store.
  if (statSync(path).size === 0) throw new DamagedFileError(path, 'it is empty');
  const file = openPageFile(path);
  try {
    readMeta(path, file.descriptor);
  } finally {
    file.close();
  }
}

/** The sums of the entries of each index: computed, and as stored. */
export interface IndexSums {
  counted: Map<number, EntrySum>;
  /** Undefined for a store of an earlier version, which kept no sums. */
  kept: ReadonlyMap<number, EntrySum> | undefined;
}

/** The indexes with lost or changed entries; a query that used one of them would miss records. */
export function findDamagedIndexes({ counted, kept }: IndexSums): number[] {
  if (!kept) return [];
  return [...new Set([...counted.keys(), ...kept.keys()])].filter((id) => {
    const [is, was] = [counted.get(id) ?? newSum(), kept.get(id) ?? newSum()];
    return is.count !== was.count || is.sum !== was.sum;
  });
}

/**
 * Checks the structure of a store's file: meta pages and length, every branch and leaf page, and the list of free
 * pages. LMDB trusts its pages and crashes the process on a malformed one, so the file is read without LMDB.
 *
 * @param isPinned whether a reader protects the newest snapshot while another process writes
 * @throws DamagedFileError
 * @throws Error if another process overwrites the pages during each attempt
 */
export function checkFile(path: string, isPinned = false): IndexSums {
  checkHead(path);
  if (!existsSync(path) || isUnfinished(path)) return { counted: new Map(), kept: undefined };
  const file = openPageFile(path);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const meta = readMeta(path, file.descriptor, isPinned);
      const sums: IndexSums = { counted: new Map(), kept: undefined };
      const fault = findFault(file, meta, sums);
      if (fault === undefined && findDamagedIndexes(sums).length === 0) return sums;
      // Another process may have reused pages; only one of the two will get the folder.
      const isOverwritten = !isPinned && readMeta(path, file.descriptor).transaction !== meta.transaction;
      if (!isOverwritten) {
        if (fault === undefined) return sums;
        throw new DamagedFileError(path, fault);
      }
      file.forget();
    }
    throw new Error(
      `the data folder ${dirname(path)} is in use by another process, which writes to it; one process at a time may open it`,
    );
  } finally {
    file.close();
  }
}

function findFault(file: PageFile, meta: Meta, sums: IndexSums): string | undefined {
  try {
    checkPages(file, meta, { sums });
    return undefined;
  } catch (error) {
    if (error instanceof PageFault || error instanceof RangeError) return error.message;
    throw error;
  }
}

interface PageCheck extends Pick<TreeCheck, 'onUnused'> {
  /** Filled while the entries are read. */
  sums: IndexSums;
}

/**
 * Reads all trees of a snapshot and the list of its free pages.
 *
 * @param check.onUnused also called for free pages
 * @throws PageFault or RangeError that describes the first fault
 */
export function checkPages(file: PageFile, meta: Meta, { sums, ...hooks }: PageCheck): void {
  const used = createPageSet(meta.lastPage + 1);
  const trees: [string, TreeInfo][] = [];
  const parts = { file, meta, used, ...hooks };
  checkTree({
    ...{ ...parts, tree: meta.tables, name: 'of tables' },
    onRow({ page, key: [start, end], value: [from, to], flags }) {
      if (flags !== SUB_TREE || to - from !== TREE_INFO_SIZE)
        throw new PageFault('the table of tables has a row that describes no table');
      trees.push([page.toString('utf8', start, end).replace(/\0$/, ''), readTreeInfo(page, from)]);
    },
  });
  for (const [name, tree] of trees) checkTree({ ...parts, tree, name, ...rowsOf(name, sums) });
  const free = readFreeList(parts);
  checkFree(free, used, meta);
  for (let i = 0; i < free.length; i += 2) {
    hooks.onUnused?.(free[i]! * meta.pageSize, (free[i]! + free[i + 1]!) * meta.pageSize);
  }
}

/** Collects the {@link IndexSums} while it checks the rows. */
function rowsOf(name: string, sums: IndexSums): Pick<TreeCheck, 'onRow'> {
  if (name === 'entries') {
    return {
      onRow({ page, key: [start, end] }) {
        const indexId = page.readUInt32BE(start);
        const sum = sums.counted.get(indexId) ?? newSum();
        sums.counted.set(indexId, sum);
        addTo(sum, page.subarray(start, end), 1);
      },
    };
  }
  if (name !== 'catalog') return {};
  const kept = new Map<number, EntrySum>();
  return {
    onRow({ page, key: [start, end], value: [from, to] }) {
      const key = page.subarray(start, end);
      const indexId = indexOfSum(key);
      if (indexId !== undefined && to - from === 12) kept.set(indexId, readSum(page.subarray(from, to)));
      if (key.equals(SUMS_KEPT)) sums.kept = kept;
    },
  };
}

/** The free pages, as pairs of a first page and a number of pages. */
function readFreeList(parts: Pick<TreeCheck, 'file' | 'meta' | 'used' | 'onUnused'>): number[] {
  const { file, meta } = parts;
  const free: number[] = [];
  const sizes: [number, number][] = [];
  checkTree({
    ...{ ...parts, tree: meta.freePages, name: 'of free pages', hasNumericKeys: true },
    onRow({ page, value: [from, to], flags }) {
      if ((flags & BIG_VALUE) !== 0) sizes.push([readNumber(page, from), readNumber(page, from + 16)]);
      else readFreePages(page.subarray(from, to), free);
    },
  });
  for (const [first, pages] of sizes) readFreePages(file.readValue(first, pages, meta.pageSize), free);
  return free;
}

/** A count, then that many words: a page number, or the negative length of a run of pages and its first page. */
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
