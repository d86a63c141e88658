import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { createMeasure, measure } from '../../src/limits/cost.ts';

function operationOf(source: string) {
  const { definitions } = parse(source);
  const fragments = Object.fromEntries(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  return { schema, operation: definitions[0] as OperationDefinitionNode, fragments };
}

const OPERATION = operationOf(
  `query($first: Int, $keyword: String, $ids: [String!], $other: String) {
    users(first: $first, keyword: $keyword) { edges { node { userId displayName } } }
    community(communityId: $other) { posts(first: $first) { edges { node { ...P } } } }
    postsByIds(postIds: $ids) { ...P }
  }
  fragment P on Post { postId comments(first: $first) { edges { node { commentId } } } }`,
);

const VALUES: ReadonlyArray<{ [name: string]: unknown }> = [
  {},
  { first: 1 },
  { first: 100 },
  { first: 100, keyword: '' },
  { first: 100, keyword: 'a' },
  { first: 100, keyword: 'b' },
  { first: 100, keyword: null },
  { ids: [] },
  { ids: ['a'] },
  { ids: ['a', 'b', 'c'], first: 2 },
  { ids: Array(40).fill('a'), first: 40, keyword: 'a', other: 'x' },
];

test('an operation costs the same when its measure is remembered as when it is measured again', () => {
  const remembered = createMeasure(OPERATION);
  const costs = new Set<number>();
  // More values than are remembered, and each of them twice in both orders.
  const sizes = Array.from({ length: 30 }, (_, size) => ({ first: size }));
  for (const variables of [...VALUES, ...sizes, ...[...VALUES, ...sizes].reverse()]) {
    const { depth, cost, fields } = measure({ ...OPERATION, variables });
    expect(remembered(variables)).toMatchObject({ depth, cost, fields });
    costs.add(cost);
  }
  expect(costs.size).toBeGreaterThan(30);
});

test('is not measured again for variables that its cost does not depend on', () => {
  const remembered = createMeasure(OPERATION);
  const first = remembered({ first: 5, keyword: 'a', other: 'one' });
  expect(remembered({ first: 5, keyword: 'b', other: 'two' })).toBe(first);
  expect(remembered({ first: 6, keyword: 'b', other: 'two' })).not.toBe(first);
});
