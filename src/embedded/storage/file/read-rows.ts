import { BIG_VALUE, BRANCH, createPageSet, LEAF, NODE_HEADER, OVERFLOW_REFERENCE, PageFault } from './check-tree.ts';
import { type Meta, PAGE_HEADER, readNumber, type TreeInfo } from './meta.ts';
import type { PageFile } from './page-file.ts';

export interface ReadRows {
  file: PageFile;
  meta: Meta;
  tree: TreeInfo;
  /** Called for every unreadable page or row, which is skipped. */
  onFault(fault: string): void;
}

export interface RawRow {
  key: Buffer;
  value: Buffer;
}

/** Reads the rows of a tree from a file that may be damaged, without LMDB. The contents of rows are not verified. */
export function* readRows({ file, meta, tree, onFault }: ReadRows): Generator<RawRow> {
  const seen = createPageSet(meta.lastPage + 1);
  const pages = tree.root === undefined ? [] : [tree.root];
  for (let number = pages.pop(); number !== undefined; number = pages.pop()) {
    try {
      const page = readPage({ file, meta }, number);
      if (!seen.add(number)) throw new PageFault('is used twice');
      const isLeaf = page.readUInt16LE(18) === LEAF;
      const nodes = nodesOf(page);
      // Pages are stacked last to first, so that rows come in order.
      if (!isLeaf) pages.push(...nodes.map((node) => childOf(page, node)).reverse());
      else for (const node of nodes) yield* readRow(node, { file, meta, page, onFault });
    } catch (error) {
      if (!(error instanceof PageFault) && !(error instanceof RangeError)) throw error;
      onFault(`page ${number} ${error.message}`);
    }
  }
}

/** @throws PageFault */
function readPage({ file, meta }: Pick<ReadRows, 'file' | 'meta'>, number: number): Buffer {
  if (number < 2 || number > meta.lastPage || number >= meta.filePages) throw new PageFault('does not exist');
  const page = Buffer.from(file.read(number, meta.pageSize));
  if (readNumber(page, 0) !== number) throw new PageFault('is not at its place');
  if (![LEAF, BRANCH].includes(page.readUInt16LE(18))) throw new PageFault('is neither a leaf nor a branch page');
  return page;
}

function nodesOf(page: Buffer): number[] {
  const rows = page.readUInt16LE(20) >> 1;
  if (PAGE_HEADER + 2 * rows > page.length) throw new PageFault('has impossible bounds');
  return Array.from({ length: rows }, (_, row) => page.readUInt16LE(PAGE_HEADER + 2 * row) + PAGE_HEADER);
}

const childOf = (page: Buffer, node: number): number => page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32;

function* readRow(node: number, of: Omit<ReadRows, 'tree'> & { page: Buffer }): Generator<RawRow> {
  const { file, meta, page, onFault } = of;
  try {
    const size = page.readUInt32LE(node);
    const isBig = (page.readUInt16LE(node + 4) & BIG_VALUE) !== 0;
    const keyAt = node + NODE_HEADER;
    const valueAt = keyAt + page.readUInt16LE(node + 6);
    const end = valueAt + (isBig ? OVERFLOW_REFERENCE : size);
    if (end > page.length) throw new PageFault('goes beyond its page');
    const key = page.subarray(keyAt, valueAt);
    if (!isBig) {
      yield { key, value: page.subarray(valueAt, end) };
      return;
    }
    const [first, pages] = [readNumber(page, valueAt), readNumber(page, valueAt + 16)];
    if (first < 2 || first + pages > meta.filePages || size > pages * meta.pageSize - PAGE_HEADER)
      throw new PageFault('has its value on pages that do not exist');
    yield { key, value: file.readValue(first, pages, meta.pageSize).subarray(0, size) };
  } catch (error) {
    if (!(error instanceof PageFault) && !(error instanceof RangeError)) throw error;
    onFault(`a row of page ${readNumber(page, 0)} ${error.message}`);
  }
}
