import { type Meta, PAGE_HEADER, readNumber, type TreeInfo } from './meta.ts';
import type { PageFile } from './page-file.ts';

export const BRANCH = 0x01;
export const LEAF = 0x02;
const OVERFLOW = 0x04;
export const NODE_HEADER = 8;
/** A leaf's reference to a value on overflow pages: first page, transaction and number of pages. */
export const OVERFLOW_REFERENCE = 24;
export const BIG_VALUE = 0x01;
export const SUB_TREE = 0x02;

/** Thrown for a malformed page; the message describes the fault. */
export class PageFault extends Error {}

export interface TreeCheck {
  file: PageFile;
  meta: Meta;
  /** A set of used pages, one bit per page. */
  used: PageSet;
  tree: TreeInfo;
  /** The name of the tree in messages. */
  name: string;
  /** Whether keys are numbers instead of bytes. */
  hasNumericKeys?: boolean;
  /** Called for every row of a leaf; the page is only valid during the call. */
  onRow?(row: {
    page: Buffer;
    key: [start: number, end: number];
    value: [start: number, end: number];
    flags: number;
  }): void;
  /** Called for every range of bytes of the file that the tree's pages do not use; may be empty. */
  onUnused?(from: number, to: number): void;
}

export interface PageSet {
  /** @returns false if the page is already in the set */
  add(page: number): boolean;
}

export function createPageSet(pages: number): PageSet {
  const bits = new Uint8Array((pages >> 3) + 1);
  return {
    add(page) {
      const bit = 1 << (page & 7);
      if ((bits[page >> 3]! & bit) !== 0) return false;
      bits[page >> 3]! |= bit;
      return true;
    },
  };
}

/**
 * Reads all branch and leaf pages of a tree and checks them against each other and against the tree's description:
 * positions, sizes, order and bounds of keys, and numbers of pages and rows.
 *
 * @throws PageFault
 */
export function checkTree(check: TreeCheck): void {
  const { tree, name } = check;
  const counted = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
  if (tree.root !== undefined) walk(check, counted, { page: tree.root, level: 1, low: undefined, high: undefined });
  for (const part of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
    if (counted[part] !== tree[part]) {
      throw new PageFault(`the table ${name} has ${counted[part]} ${WORDS[part]} where ${tree[part]} were written`);
    }
  }
}

const WORDS = { branchPages: 'branch pages', leafPages: 'leaf pages', overflowPages: 'value pages', entries: 'rows' };

interface Step {
  page: number;
  level: number;
  /** Bounds of the keys; undefined if unbounded. */
  low: Buffer | undefined;
  high: Buffer | undefined;
}

type Counted = Pick<TreeInfo, 'branchPages' | 'leafPages' | 'overflowPages' | 'entries'>;

function walk(check: TreeCheck, counted: Counted, { page: number, level, low, high }: Step): void {
  const { file, meta, tree, used, name } = check;
  const fail = (fault: string): never => {
    throw new PageFault(`page ${number} (table ${name}) ${fault}`);
  };
  if (number < 2 || number > meta.lastPage) fail('does not exist');
  if (number >= meta.filePages) fail(`is missing: the file is cut off after ${meta.filePages} pages`);
  if (!used.add(number)) fail('is used twice');
  const isLeaf = level === tree.depth;
  let page = file.read(number, meta.pageSize);
  if (readNumber(page, 0) !== number) fail('is not at its place');
  if (readNumber(page, 8) > meta.transaction) fail('is of a later transaction');
  if (page.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH)) fail(`is not a ${isLeaf ? 'leaf' : 'branch'} page`);
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
  const space = meta.pageSize - PAGE_HEADER;
  const rows = lower >> 1;
  if (lower % 2 !== 0 || lower > upper || upper > space || rows < (isLeaf ? 1 : 2)) fail('has impossible bounds');

  const content = number * meta.pageSize + PAGE_HEADER;
  check.onUnused?.(content + lower, content + upper);
  const children: Step[] = [];
  let taken = 0;
  let [start, end] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const node = page.readUInt16LE(PAGE_HEADER + 2 * row) + PAGE_HEADER;
    if (node < PAGE_HEADER + upper || node + NODE_HEADER > meta.pageSize) fail(`has row ${row} outside of it`);
    const flags = page.readUInt16LE(node + 4);
    const keySize = page.readUInt16LE(node + 6);
    const size = page.readUInt32LE(node);
    const isBig = (flags & BIG_VALUE) !== 0;
    if (isLeaf && (flags & ~(BIG_VALUE | SUB_TREE)) !== 0) fail(`has row ${row} with unknown flags`);
    const valueSize = isLeaf ? (isBig ? OVERFLOW_REFERENCE : size) : 0;
    const length = NODE_HEADER + keySize + valueSize;
    if (node + length > meta.pageSize) fail(`has row ${row} beyond its end`);
    taken += length + (length & 1);
    const keyAt = node + NODE_HEADER;
    // The first key of a branch page is empty and stands for all lower keys.
    if (isLeaf || row > 0) {
      if (row > (isLeaf ? 0 : 1) && compare(check, page, start, end, page, keyAt, keyAt + keySize) >= 0) {
        fail(`has row ${row} out of order`);
      }
      [start, end] = [keyAt, keyAt + keySize];
      if (low && row < 2 && compare(check, low, 0, low.length, page, start, end) > 0) fail('begins too low');
      if (high && row === rows - 1 && compare(check, high, 0, high.length, page, start, end) <= 0)
        fail('ends too high');
    }
    if (isLeaf) {
      counted.entries++;
      if (isBig) {
        const at = keyAt + keySize;
        counted.overflowPages += checkBigValue(check, fail, [readNumber(page, at), readNumber(page, at + 16), size]);
        page = file.read(number, meta.pageSize);
      }
      check.onRow?.({ page, key: [start, end], value: [end, end + valueSize], flags });
    } else {
      const child = size + page.readUInt16LE(node + 4) * 2 ** 32;
      const before = children.at(-1);
      const separator = row === 0 ? low : Buffer.from(page.subarray(start, end));
      if (before) before.high = separator;
      children.push({ page: child, level: level + 1, low: separator, high });
    }
  }
  if (taken !== space - upper) fail('has rows that overlap');
  if (isLeaf) counted.leafPages++;
  else counted.branchPages++;
  for (const child of children) walk(check, counted, child);
}

type BigValue = [first: number, pages: number, size: number];

/** @returns the number of its pages */
function checkBigValue(
  { file, meta, used, onUnused }: TreeCheck,
  fail: (fault: string) => never,
  value: BigValue,
): number {
  const [first, pages, size] = value;
  // LMDB keeps a longer run of pages when a smaller value overwrites one of the same transaction.
  if (pages < Math.floor((PAGE_HEADER - 1 + size) / meta.pageSize) + 1) fail('has a value of impossible size');
  if (first < 2 || first + pages - 1 > meta.lastPage) fail('has a value on pages that do not exist');
  if (first + pages > meta.filePages)
    fail(`has a value on page ${first}, but the file is cut off after ${meta.filePages} pages`);
  const head = file.read(first, meta.pageSize);
  if (readNumber(head, 0) !== first || head.readUInt16LE(18) !== OVERFLOW || head.readUInt32LE(20) !== pages) {
    fail(`has a value on page ${first}, which holds none`);
  }
  for (let page = first; page < first + pages; page++)
    if (!used.add(page)) fail(`has a value on page ${page}, used twice`);
  onUnused?.(first * meta.pageSize + PAGE_HEADER + size, (first + pages) * meta.pageSize);
  return pages;
}

function compare(
  { hasNumericKeys }: TreeCheck,
  a: Buffer,
  aStart: number,
  aEnd: number,
  b: Buffer,
  bStart: number,
  bEnd: number,
): number {
  if (hasNumericKeys) return readNumber(a, aStart) - readNumber(b, bStart);
  return a.compare(b, bStart, bEnd, aStart, aEnd);
}
