import { setImmediate as turn } from 'node:timers/promises';
import { buildSchema, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createExecutor, isRefused } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';

const schema: GraphQLSchema = buildSchema(`
  interface Node { id: ID! }
  type Leaf implements Node { id: ID! name: String! size(unit: Unit = CM, scale: Int): Float }
  type Branch implements Node { id: ID! leaves: [Leaf!]! maybe: [Leaf]! deep: Branch! above: Branch bad: Int! }
  union Any = Leaf | Branch
  enum Unit { CM INCH }
  type Query {
    branch(id: ID!): Branch
    sure: Branch!
    any: [Any]
    node: Node
    odd: Odd
    text: [String!]
    grid: [[Int!]]
  }
  type Odd { unit: Unit! notAList: [Int] number: Int thrown: String! rejected: String! wrong: Node }
  type Mutation { step(name: String!): Step stepNonNull(name: String!): Step! }
  type Step { name: String! order: Int! }
`);

const leaf = (id: string) => ({
  __typename: 'Leaf',
  id,
  name: () => turn(`leaf ${id}`),
  size: (args: object) => JSON.stringify(args).length,
});
const branch = (id: string): object => ({
  __typename: 'Branch',
  id,
  leaves: () => [leaf('1'), Promise.resolve(leaf('2')), { ...leaf('3'), name: id === 'broken' ? null : 'three' }],
  maybe: () => Promise.resolve([null, new Error('no leaf'), Promise.reject(new Error('no leaf either')), leaf('4')]),
  deep: () => (id.length > 6 ? null : branch(`${id}+`)),
  above: () => Promise.resolve(branch(`${id}-`)),
  bad: () => {
    throw new Error(`bad ${id}`);
  },
});

let steps = 0;
const root = {
  branch: ({ id }: { id: string }) => branch(id),
  sure: () => branch('sure'),
  any: () => [leaf('5'), branch('6'), { __typename: 'Nothing' }, null, Promise.resolve(leaf('7'))],
  node: () => leaf('8'),
  odd: {
    unit: 'CM',
    notAList: 12,
    number: 'not a number',
    thrown: () => {
      throw new GraphQLError('thrown', { extensions: { code: 'X' } });
    },
    rejected: () => turn().then(() => Promise.reject(new Error('rejected'))),
    wrong: () => ({ __typename: 'Odd' }),
  },
  text: () => new Set(['a', 'b']),
  grid: [[1, 2], null, [3, null]],
  step: async ({ name }: { name: string }) => {
    const order = ++steps;
    await turn();
    if (name === 'failing') throw new Error('this step fails');
    return { name, order: () => (steps === order ? order : -1) };
  },
  stepNonNull: async () => null,
};

const QUERIES: Array<[title: string, source: string, variables?: Record<string, unknown>]> = [
  [
    'lists, promises and fragments',
    '{ branch(id: "a") { ...B above { ...B } } } fragment B on Branch { id leaves { id name } }',
  ],
  [
    'merges fields of the same name',
    '{ branch(id: "a") { leaves { id } ...B } } fragment B on Branch { leaves { name } }',
  ],
  ['items that are null or failed', '{ branch(id: "a") { maybe { id } } }'],
  [
    'a null in a non-null item reaches the nearest nullable field',
    '{ branch(id: "broken") { id leaves { id name } } any { __typename } }',
  ],
  ['a failure in a nested non-null field', '{ branch(id: "a") { id above { id bad } } }'],
  ['a failure that leaves no data at all', '{ sure { deep { bad } } }'],
  [
    'non-null fields inside one another',
    '{ branch(id: "a") { id above { deep { deep { deep { deep { deep { deep { id } } } } } } } } }',
  ],
  [
    'unions, interfaces and unknown types',
    '{ any { __typename ... on Leaf { id } ... on Node { id } ... on Branch { leaves { id } } } node { id ... on Leaf { name } } }',
  ],
  ['values of the wrong kind', '{ odd { unit notAList number } }'],
  ['a resolver that throws', '{ odd { unit thrown } }'],
  ['a resolver that rejects', '{ odd { unit rejected } }'],
  ['a type that is not possible', '{ odd { wrong { id } } }'],
  ['iterables and lists of lists', '{ text grid }'],
  [
    'arguments: defaults, variables, variables left out',
    'query($u: Unit, $s: Int = 3) { node { ... on Leaf { a: size b: size(unit: INCH) c: size(unit: $u) d: size(scale: $s) e: size(unit: null) } } }',
  ],
  ['aliases that name members of objects', '{ node { constructor: id toString: id hasOwnProperty: id } }'],
  ['introspection', '{ __schema { queryType { name } } __type(name: "Leaf") { fields { name } } __typename }'],
  ['mutations one after another', 'mutation { a: step(name: "a") { name order } b: step(name: "b") { name order } }'],
  [
    'a mutation goes on after a nullable step failed',
    'mutation { a: step(name: "failing") { name } b: step(name: "b") { name } }',
  ],
  [
    'a mutation ends after a non-null step failed',
    'mutation { a: stepNonNull(name: "a") { name } b: step(name: "b") { name } }',
  ],
  ['a variable that is missing', 'query($id: ID!) { branch(id: $id) { id } }', {}],
  ['a variable of the wrong type', 'query($id: ID!) { branch(id: $id) { id } }', { id: { a: 1 } }],
];

const CONDITIONAL =
  'query($on: Boolean!, $off: Boolean = false) { branch(id: "a") { id @include(if: $on) ...B @skip(if: $off) ... on Branch @include(if: false) { bad } } } fragment B on Branch { leaves @skip(if: $on) { id } deep { id @skip(if: true) __typename } }';

describe('a planned operation answers as graphql-js does:', () => {
  test.each(QUERIES)('%s', async (_, source, variables = {}) => {
    expect(await answer(true, source, variables)).toEqual(await answer(false, source, variables));
  });

  test.each([{ on: true }, { on: false }, { on: true, off: true }, { on: false, off: true }, { on: true, off: false }])(
    '@skip and @include with %j, again and again',
    async (variables) => {
      for (let time = 0; time < 2; time += 1)
        expect(await answer(true, CONDITIONAL, variables)).toEqual(await answer(false, CONDITIONAL, variables));
    },
  );
});

test('a response name __proto__ is a field like any other', async () => {
  expect(await answer(true, '{ node { __proto__: id } }')).toBe('{"data":{"node":{"__proto__":"8"}}}');
});

test('answers only when every resolver has settled', async () => {
  let settled = 0;
  const slow = () =>
    turn()
      .then(turn)
      .then(() => {
        settled += 1;
        return String(settled);
      });
  const odd = { thrown: () => Promise.reject(new Error('at once')), rejected: slow };
  const prepared = planned.prepare('{ odd { thrown rejected } }');
  if (isRefused(prepared)) throw prepared.errors[0];
  expect((await planned.run(prepared, { context: {} as Context, root: { odd } })).data).toEqual({ odd: null });
  expect(settled).toBe(1);
});

const onMaskedError = (error: Error) => error.message;
const planned = createExecutor({ schema, onMaskedError });
const reference = createExecutor({ schema, onMaskedError, plan: false });

async function answer(isPlanned: boolean, source: string, variables = {}): Promise<string> {
  steps = 0;
  const executor = isPlanned ? planned : reference;
  const prepared = executor.prepareOwn(parse(source));
  const { data, errors } = await executor.run(prepared, { variables, root, context: {} as Context });
  const found = errors?.map(({ message, path, extensions }) =>
    JSON.stringify({ message: withoutValue(message), path, extensions }),
  );
  return JSON.stringify({ ...(data !== undefined && { data }), ...(found && { errors: found.sort() }) });
}

/** Messages may quote the value, in the words of each. */
const withoutValue = (message: string) =>
  message.replace(/(?<=at runtime for field "[^"]+"|returned: |Expected value of type "\w+").*$/s, '');
