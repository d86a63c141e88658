import { type ASTNode, type DocumentNode, Kind, type Location } from 'graphql';
import { isNode } from 'graphql/language/ast.js';
import { copyText } from '../../src/lib/copy-text.ts';

/** Heap of a node with its location. */
const NODE_BYTES = 512;

/**
 * Releases the parser's tokens, a linked list over the whole source that every location references. Keeps the properties
 * of locations that error messages read. Literals become copies, since caches keep ids longer than the document.
 * @returns estimated heap size of the document in bytes
 */
export function compactDocument(document: DocumentNode): number {
  let nodes = 0;

  function compact(node: ASTNode): void {
    nodes += 1;
    if (node.loc) {
      const { start, end, source } = node.loc;
      (node as { loc?: Location }).loc = { start, end, source } as Location;
    }
    if (node.kind === Kind.STRING || node.kind === Kind.INT) (node as { value: string }).value = copyText(node.value);
    for (const value of Object.values(node) as unknown[]) {
      if (isNode(value)) compact(value);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) compact(item);
    }
  }

  compact(document);
  return nodes * NODE_BYTES;
}
