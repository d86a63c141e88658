import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, type FieldNode, Kind } from 'graphql';
import { expect, test } from 'vitest';
import type { Prepared } from '../../schema/documents/prepare.ts';
import { createExecutor } from '../../schema/execute.ts';

const schema = buildSchema('type Query { find(id: ID!): String }');

test.each([
  ['a string', (index: number) => `"literal of a document ${index}"`],
  ['a number', (index: number) => `${index}`.padEnd(30, '7')],
])('an id that is %s in a document does not keep the document in memory', (_, literalOf) => {
  const executor = createExecutor({ schema, onMaskedError: () => 'id' });
  const idOf = (index: number): string => {
    const source = `{ find(id: ${literalOf(index)}) } # ${'x'.repeat(90_000)}`;
    const { operation } = executor.prepare(source) as Prepared;
    const { value } = (operation.selectionSet.selections[0] as FieldNode).arguments![0]!;
    if (value.kind !== Kind.STRING && value.kind !== Kind.INT) throw new Error('Not a literal.');
    return value.value;
  };
  // Fills the cache of documents, which is bounded.
  for (let index = 0; index < 200; index += 1) idOf(1_000 + index);
  const before = heapBytes();
  const ids = Array.from({ length: 400 }, (_, index) => idOf(2_000 + index));
  expect(heapBytes() - before).toBeLessThan(8_000_000);
  expect(ids.map((id, index) => literalOf(2_000 + index).includes(id))).not.toContain(false);
});

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
