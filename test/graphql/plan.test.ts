import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { isRefused, type Prepared } from '../../schema/documents/prepare.ts';
import { createExecutor, type Executor } from '../../schema/execute.ts';
import { runOperation } from '../../schema/plan/run-operation.ts';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import { nextSlice } from '../../src/lib/time-slice.ts';
import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';

const schema: GraphQLSchema = buildSchema(`
  interface Node { id: ID! }
  type Leaf implements Node { id: ID! name: String! size(unit: Unit = CM, scale: Int): Float }
  type Branch implements Node { id: ID! leaves: [Leaf!]! maybe: [Leaf]! deep: Branch! above: Branch bad: Int! }
  scalar JSON
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
    echo(data: JSON): Boolean
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
  echo: true,
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
    'a null in a non-null item, which reaches the nearest nullable field',
    '{ branch(id: "broken") { id leaves { id name } } any { __typename } }',
  ],
  ['a failure in a nested non-null field', '{ branch(id: "a") { id above { id bad } } }'],
  ['a failure that makes data null', '{ sure { deep { bad } } }'],
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
    'a mutation that continues after a nullable step failed',
    'mutation { a: step(name: "failing") { name } b: step(name: "b") { name } }',
  ],
  [
    'a mutation that ends after a non-null step failed',
    'mutation { a: stepNonNull(name: "a") { name } b: step(name: "b") { name } }',
  ],
  ['a variable that is missing', 'query($id: ID!) { branch(id: $id) { id } }', {}],
  ['a variable of the wrong type', 'query($id: ID!) { branch(id: $id) { id } }', { id: { a: 1 } }],
];

const CONDITIONAL =
  'query($on: Boolean!, $off: Boolean = false) { branch(id: "a") { id @include(if: $on) ...B @skip(if: $off) ... on Branch @include(if: false) { bad } } } fragment B on Branch { leaves @skip(if: $on) { id } deep { id @skip(if: true) __typename } }';

describe('a planned operation returns the same result as graphql-js for', () => {
  test.each(QUERIES)('%s', async (_, source, variables = {}) => {
    expect(await answer(true, source, variables)).toEqual(await answer(false, source, variables));
  });

  test.each([{ on: true }, { on: false }, { on: true, off: true }, { on: false, off: true }, { on: true, off: false }])(
    '@skip and @include with %j, in repeated runs',
    async (variables) => {
      for (let time = 0; time < 2; time += 1)
        expect(await answer(true, CONDITIONAL, variables)).toEqual(await answer(false, CONDITIONAL, variables));
    },
  );
});

describe('a condition variable that is null', () => {
  const NULLABLE = 'query($on: Boolean = false) { branch(id: "a") { id deep @include(if: $on) { id } } node { id } }';
  const AT_ROOT = 'query($on: Boolean = false) { node @include(if: $on) { id } text }';

  test.each([
    ['in a selection', NULLABLE],
    ['at the root', AT_ROOT],
  ])('%s is an error of that run only', async (_, source) => {
    const ofPlan = planned.prepareOwn(parse(source));
    const ofReference = reference.prepareOwn(parse(source));
    for (const on of [null, false, null, true, undefined]) {
      const variables = on === undefined ? {} : { on };
      const expected = await run(reference, ofReference, variables);
      expect(expected.includes('must not be null')).toBe(on === null);
      expect(await run(planned, ofPlan, variables)).toBe(expected);
    }
  });
});

describe('the cached plans of an operation', () => {
  test('do not reference the variables of the run that created them', async () => {
    const prepared = planned.prepare(
      'query($on: Boolean!, $data: JSON) { echo(data: $data) node @include(if: $on) { id } }',
    );
    if (isRefused(prepared)) throw prepared.errors[0];
    const runOnce = async () => {
      const data = { text: 'x'.repeat(1_000) };
      const { errors } = await planned.run(prepared, { variables: { on: true, data }, root, context: {} as Context });
      expect(errors).toBeUndefined();
      return new WeakRef(data);
    };
    const data = await runOnce();
    for (let time = 0; time < 20 && data.deref(); time += 1) {
      await turn();
      collectGarbage();
    }
    expect(data.deref()).toBeUndefined();
  });

  test('count towards the size limit of the cache', async () => {
    const executor = createExecutor({ schema, onMaskedError });
    const sourceOf = (document: number) => {
      const fields = Array.from(
        { length: 40 },
        (_, index) => `a${index}: branch(id: "a") { ${Array.from({ length: 20 }, (_, n) => `b${n}: id`).join(' ')} }`,
      );
      return `query Q${document}($a: Boolean!, $b: Boolean!) { text @include(if: $a) grid @skip(if: $b) ${fields.join(' ')} }`;
    };
    const first = executor.prepare(sourceOf(0));
    let bytes = 0;
    for (let document = 0; document < 5; document += 1) {
      const prepared = executor.prepare(sourceOf(document));
      if (isRefused(prepared)) throw prepared.errors[0];
      bytes += prepared.bytes;
      for (const a of [true, false]) {
        for (const b of [true, false]) {
          await executor.run(prepared, { variables: { a, b }, root, context: {} as Context });
        }
      }
    }
    // Without their plans, all documents would fit.
    expect(bytes).toBeLessThan(8 * 1_048_576);
    expect(executor.prepare(sourceOf(4))).toBe(executor.prepare(sourceOf(4)));
    expect(executor.prepare(sourceOf(0))).not.toBe(first);
  });
});

describe('errors beyond the limit of an answer', () => {
  const names = Array.from({ length: 25 }, (_, index) => `a${index}`);
  const source = `{ ${names.map((name) => `${name}: text`).join(' ')} grid }`;
  const fail = (error: Error) => () => {
    throw error;
  };
  const answerWith = async (text: () => never, grid: () => never) => {
    const masked: Error[] = [];
    const onMasked = (error: Error) => String(masked.push(error));
    const executor = createExecutor({ schema, onMaskedError: onMasked });
    const prepared = executor.prepareOwn(parse(source));
    const result = await executor.run(prepared, { root: { text, grid }, context: {} as Context });
    return { masked, codes: result.errors!.map(({ extensions }) => extensions.code) };
  };

  test('are still logged', async () => {
    const { masked, codes } = await answerWith(fail(new Error('unexpected')), fail(new Error('the last')));
    expect(codes).toEqual(Array.from({ length: ANSWER_LIMITS.errors }, () => 'INTERNAL'));
    expect(masked).toHaveLength(26);
    expect(masked.map(({ message }) => message)).toContain('the last');
  });

  test('do not hide an UNAVAILABLE error', async () => {
    const { codes } = await answerWith(fail(new OperationError('NOT_FOUND')), fail(new OperationError('UNAVAILABLE')));
    expect(codes).toHaveLength(ANSWER_LIMITS.errors);
    expect(codes.filter((code) => code === 'UNAVAILABLE')).toHaveLength(1);
  });
});

test('treats the response name __proto__ as an ordinary name', async () => {
  expect(await answer(true, '{ node { __proto__: id } }')).toBe('{"data":{"node":{"__proto__":"8"}}}');
});

test('returns only after every resolver has settled', async () => {
  let settled = 0;
  const slow = () =>
    turn()
      .then(turn)
      .then(() => {
        settled += 1;
        return String(settled);
      });
  const rootValue = { thrown: () => Promise.reject(new Error('thrown immediately')), rejected: slow };
  const prepared = planned.prepare('{ odd { thrown rejected } }');
  if (isRefused(prepared)) throw prepared.errors[0];
  expect((await planned.run(prepared, { context: {} as Context, root: { odd: rootValue } })).data).toEqual({
    odd: null,
  });
  expect(settled).toBe(1);
});

const onMaskedError = (error: Error) => error.message;
const planned = createExecutor({ schema, onMaskedError });
const reference = createExecutor({ schema, onMaskedError, plan: false });

async function answer(isPlanned: boolean, source: string, variables = {}): Promise<string> {
  const executor = isPlanned ? planned : reference;
  return run(executor, executor.prepareOwn(parse(source)), variables);
}

async function run(executor: Executor, prepared: Prepared, variables: Record<string, unknown>): Promise<string> {
  steps = 0;
  const context = { reads: createReadBudget() } as Context;
  const { data, errors } = await executor.run(prepared, { variables, root, context });
  const found = errors?.map(({ message, path, extensions }) =>
    JSON.stringify({ message: withoutValue(message), path, extensions }),
  );
  return JSON.stringify({ ...(data !== undefined && { data }), ...(found && { errors: found.sort() }) });
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Removes the quoted value, which the two executors format differently. */
const withoutValue = (message: string) =>
  message.replace(/(?<=at runtime for field "[^"]+"|returned: |Expected value of type "\w+").*$/s, '');

test.each([
  ['{ text grid echo node { id __typename } }', false],
  ['{ branch(id: "a") { id above { id } } }', true],
])('runs %s without a promise unless a resolver waits', async (source, waits) => {
  const prepared = createExecutor({ schema, onMaskedError: () => 'id' }).prepare(source) as Prepared;
  const { operation, fragments, plans } = prepared;
  const run = () =>
    runOperation({
      plan: plans.planFor({}),
      schema,
      operation,
      fragments,
      rootValue: root,
      context: {},
      variables: {},
      onExcessError: () => false,
    });
  // On a busy machine an operation may exceed its time slice, and then waits for the next one.
  const results: unknown[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await nextSlice();
    results.push(run());
  }
  expect(results.every((result) => result instanceof Promise)).toBe(waits);
});
