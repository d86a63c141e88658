import type { ASTNode, DocumentNode, Location } from 'graphql';
import { isNode } from 'graphql/language/ast.js';

/** Heap of a node with its location. */
const NODE_BYTES = 512;

/**
 * Lets go of the parser's tokens, a linked list of every word of the source that each location refers to; what errors
 * read of a location stays.
 * @returns about how many bytes of heap the document holds
 */
export function compactDocument(document: DocumentNode): number {
  let nodes = 0;

  function compact(node: ASTNode): void {
    nodes += 1;
    if (node.loc) {
      const { start, end, source } = node.loc;
      (node as { loc?: Location }).loc = { start, end, source } as Location;
    }
    for (const value of Object.values(node) as unknown[]) {
      if (isNode(value)) compact(value);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) compact(item);
    }
  }

  compact(document);
  return nodes * NODE_BYTES;
}
