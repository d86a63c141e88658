import { fstatSync, readFileSync, readSync } from 'node:fs';
import { DamagedFileError } from './damaged-file.ts';

/** The description of a page tree (LMDB's `MDB_db`). */
export interface TreeInfo {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Undefined for an empty tree. */
  root: number | undefined;
}

/** A snapshot of the store, as described by a meta page (LMDB's `MDB_meta`). */
export interface Meta {
  pageSize: number;
  lastPage: number;
  /** The number of pages in the file; the last ones may be missing if they are unused. */
  filePages: number;
  transaction: number;
  /** Identifies the boot of the system that wrote it. */
  bootId: bigint;
  hasOverlappingSync: boolean;
  freePages: TreeInfo;
  tables: TreeInfo;
}

export const PAGE_HEADER = 24;
const META_SIZE = 168;
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const META_FLAG = 0x08;
const OVERLAPPING_SYNC = 0x1000;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
export const TREE_INFO_SIZE = 48;
const LARGEST_PAGE = 65536;
const PAGE_SIZES = new Set([4096, 8192, 16384, 32768, LARGEST_PAGE]);

/** @throws RangeError for an implausible number */
export function readNumber(bytes: Buffer, at: number): number {
  const number = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
  if (number > Number.MAX_SAFE_INTEGER) throw new RangeError(`the impossible number ${number}`);
  return number;
}

export function readTreeInfo(bytes: Buffer, at: number): TreeInfo {
  return {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readNumber(bytes, at + 8),
    leafPages: readNumber(bytes, at + 16),
    overflowPages: readNumber(bytes, at + 24),
    entries: readNumber(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === NO_PAGE ? undefined : readNumber(bytes, at + 40),
  };
}

/**
 * Reads the snapshot that LMDB will open, before LMDB maps the file: a malformed meta page, or one that refers to pages
 * beyond the end of the file, would crash the process.
 *
 * @param isServed whether another process has the file open, so that the newest snapshot counts
 * @throws DamagedFileError
 */
export function readMeta(path: string, file: number, isServed = false): Meta {
  for (let head = readHead(file); ; ) {
    try {
      return parseHead(head, fstatSync(file).size, isServed);
    } catch (error) {
      const again = readHead(file);
      // Another process may have committed during the read.
      if (again.equals(head)) throw new DamagedFileError(path, (error as Error).message);
      head = again;
    }
  }
}

/** Reads both meta pages of any page size. */
function readHead(file: number): Buffer {
  const head = Buffer.alloc(LARGEST_PAGE + PAGE_HEADER + META_SIZE);
  return head.subarray(0, readSync(file, head, 0, head.length, 0));
}

/** @throws Error that describes the fault */
function parseHead(head: Buffer, size: number, isServed: boolean): Meta {
  const read = (at: number, what: string, hasHeader = true): Meta => {
    const page = head.subarray(at, at + PAGE_HEADER + META_SIZE);
    if (page.length < PAGE_HEADER + META_SIZE) throw new Error(`it is cut off within the ${what}`);
    if (hasHeader) {
      if ((page.readUInt16LE(18) & META_FLAG) === 0) throw new Error(`the ${what} is not a meta page`);
      if (page.readUInt32LE(24) !== MAGIC) throw new Error(`the ${what} does not begin with the signature of a store`);
      const version = page.readUInt32LE(28);
      if (version !== DATA_VERSION) throw new Error(`the ${what} has the unknown version ${version}`);
    }
    const meta = parseMeta(page, size);
    if (!PAGE_SIZES.has(meta.pageSize) && (hasHeader || meta.transaction > 0)) {
      throw new Error(`the ${what} has the impossible page size ${meta.pageSize}`);
    }
    return meta;
  };
  const first = read(0, 'first meta page');
  const second = read(first.pageSize, 'second meta page');
  // LMDB stores the last flushed meta data in the second half of the first page.
  const flushed = read(first.pageSize / 2, 'flushed meta data', false);
  checkTrees(first, 'first meta page');
  checkTrees(second, 'second meta page');
  if (flushed.transaction > 0) checkTrees(flushed, 'flushed meta data');
  if (second.pageSize !== first.pageSize) throw new Error('the meta pages have different page sizes');
  if (Math.abs(first.transaction - second.transaction) > 1) {
    throw new Error(`the meta pages are of transactions ${first.transaction} and ${second.transaction}`);
  }
  const newest = first.transaction >= second.transaction ? first : second;
  if (flushed.transaction > newest.transaction) throw new Error('the flushed meta data is newer than the meta pages');
  return isServed ? newest : pick(pick(first, flushed), second);
}

function parseMeta(head: Buffer, size: number): Meta {
  const pageSize = head.readUInt32LE(48);
  return {
    pageSize,
    filePages: Math.floor(size / pageSize),
    hasOverlappingSync: (head.readUInt16LE(52) & OVERLAPPING_SYNC) !== 0,
    freePages: readTreeInfo(head, 48),
    tables: readTreeInfo(head, 96),
    lastPage: readNumber(head, 144),
    transaction: readNumber(head, 152),
    bootId: head.readBigInt64LE(160),
  };
}

function checkTrees({ lastPage, filePages, freePages, tables }: Meta, what: string): void {
  if (lastPage < 1) throw new Error(`the ${what} names no pages`);
  for (const { root } of [freePages, tables]) {
    if (root === undefined) continue;
    if (root < 2 || root > lastPage) throw new Error(`the ${what} names page ${root}, which does not exist`);
    if (root >= filePages)
      throw new Error(`the ${what} names page ${root}, but the file is cut off after ${filePages}`);
  }
}

/** Like LMDB's `mdb_pick_meta`: after a system crash only flushed data is valid. */
function pick(a: Meta, b: Meta): Meta {
  const newest = a.transaction >= b.transaction ? a : b;
  if (b.transaction === 0) return a;
  if ((newest.bootId !== 0n && newest.bootId === bootId()) || !newest.hasOverlappingSync) return newest;
  return a.transaction > b.transaction ? b : a;
}

function bootId(): bigint {
  try {
    const [first] = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').split('-');
    return BigInt(`0x${first}`);
  } catch {
    return -1n;
  }
}
