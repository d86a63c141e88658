import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { BRANCH, NODE_HEADER } from './check-tree.ts';
import { PAGE_HEADER, readMeta, readTreeInfo } from './meta.ts';
import { openPageFile, type PageFile } from './page-file.ts';

/** The lowest and the highest key of the rows below a page. */
interface Range {
  first: Buffer;
  last: Buffer;
}

interface Tree {
  file: PageFile;
  /** For writing. */
  descriptor: number;
  pageSize: number;
}

/**
 * Replaces the keys on the branch pages of a file. LMDB copies the key of a row to a branch page as the boundary between two
 * pages, and keeps it when the row is deleted. The new boundary is the shortest beginning of the key of an existing row that
 * separates the two pages, which is never longer than the old one: both keys beside a boundary, and so the boundary itself,
 * have the same beginning up to the last byte of the new one.
 *
 * No process may have the file open, and it must be a complete copy: an interruption can leave a page half written.
 */
export function renewBoundaryKeys(path: string): void {
  const file = openPageFile(path);
  const descriptor = openSync(path, 'r+');
  try {
    const { pageSize, tables } = readMeta(path, file.descriptor);
    if (tables.root === undefined) return;
    const tree = { file, descriptor, pageSize };
    const roots: number[] = [];
    renew(tree, tables.root, (page, from) => {
      const { root } = readTreeInfo(page, from);
      if (root !== undefined) roots.push(root);
    });
    for (const root of roots) renew(tree, root);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    file.close();
  }
}

/** @param onRow called with the position of the value of each row */
function renew(tree: Tree, number: number, onRow?: (page: Buffer, value: number) => void): Range {
  // A copy: the buffer of the file is valid until the next read.
  const page = Buffer.from(tree.file.read(number, tree.pageSize));
  const nodes = nodesOf(page);
  if ((page.readUInt16LE(18) & BRANCH) === 0) {
    for (const { node, key } of nodes) onRow?.(page, node + NODE_HEADER + key.length);
    return { first: nodes[0]!.key, last: nodes.at(-1)!.key };
  }
  const ranges = nodes.map(({ child }) => renew(tree, child, onRow));
  // The first boundary has no lower neighbour on its page: LMDB does not read its key.
  const keys = ranges.map(({ first }, index) =>
    index === 0 ? Buffer.alloc(0) : separator(ranges[index - 1]!.last, first),
  );
  if (keys.some((key, index) => !key.equals(nodes[index]!.key))) writeBranch(tree, { number, page, keys });
  return { first: ranges[0]!.first, last: ranges.at(-1)!.last };
}

interface Node {
  /** Position on the page. */
  node: number;
  key: Buffer;
  /** The page that the node of a branch page refers to. */
  child: number;
}

function nodesOf(page: Buffer): Node[] {
  return Array.from({ length: page.readUInt16LE(20) >> 1 }, (_, row) => {
    const node = page.readUInt16LE(PAGE_HEADER + 2 * row) + PAGE_HEADER;
    const keyAt = node + NODE_HEADER;
    const key = page.subarray(keyAt, keyAt + page.readUInt16LE(node + 6));
    return { node, key, child: page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32 };
  });
}

/** The shortest beginning of `above` that is greater than `below`. */
function separator(below: Buffer, above: Buffer): Buffer {
  let same = 0;
  while (same < below.length && below[same] === above[same]) same++;
  return above.subarray(0, same + 1);
}

/** Writes the nodes from the end of the page, as LMDB does, and zeros where longer keys were. */
function writeBranch(
  { descriptor, pageSize }: Tree,
  { number, page, keys }: { number: number; page: Buffer; keys: readonly Buffer[] },
): void {
  const renewed = Buffer.alloc(pageSize);
  page.copy(renewed, 0, 0, PAGE_HEADER);
  let upper = pageSize - PAGE_HEADER;
  nodesOf(page).forEach(({ node }, row) => {
    const key = keys[row]!;
    const length = NODE_HEADER + key.length;
    upper -= length + (length & 1);
    renewed.writeUInt16LE(upper, PAGE_HEADER + 2 * row);
    const at = PAGE_HEADER + upper;
    page.copy(renewed, at, node, node + NODE_HEADER);
    renewed.writeUInt16LE(key.length, at + 6);
    key.copy(renewed, at + NODE_HEADER);
  });
  renewed.writeUInt16LE(upper, 22);
  writeSync(descriptor, renewed, 0, pageSize, number * pageSize);
}
