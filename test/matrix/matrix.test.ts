import { Kind, parse, type SelectionSetNode } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { MATRIX } from '../../src/access/matrix/index.ts';
import { createFixtures, type Fixtures, type RestRequest } from './fixtures.ts';
import { CASES, expectedOutcomes, graphqlOutcomes, restOutcomes, restRequests } from './outcomes.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
}, 240_000);
afterAll(() => fixtures.gateway.close());

describe('each actor gets the outcome of the matrix over GraphQL', () => {
  test.each(CASES.map((testCase) => [`${testCase.operation}: ${testCase.situation}`, testCase] as const))(
    '%s',
    async (_, testCase) => {
      expect(await graphqlOutcomes(fixtures, testCase)).toEqual(expectedOutcomes(testCase));
    },
  );
});

/** The called REST paths, with their methods. */
const called = new Set<string>();

describe('each actor gets the outcome of the matrix over REST', () => {
  const onRequest = ({ method, path }: RestRequest) => called.add(`${method} ${path.replace(/\?.*/, '')}`);
  test.each(restRequests(CASES))('%s', async (_, testCase, rest) => {
    expect(await restOutcomes(fixtures, testCase, rest, onRequest)).toEqual(expectedOutcomes(testCase));
  });
});

test('a case calls each REST path', () => {
  const named = ({ method, path }: Route) => `${method} ${path}`;
  const matches = (request: string) => (route: Route) =>
    new RegExp(`^${named(route).replace(/:\w+/g, '[^/]+')}$`).test(request);
  // Paths without parameters first: `/posts/list` is not the post `list`.
  const asked = new Set(
    [...called].map((request) => ROUTES.find((route) => named(route) === request) ?? ROUTES.find(matches(request))),
  );
  expect(ROUTES.filter((route) => !asked.has(route)).map(named)).toEqual([]);
});

test('each case of an operation with a REST path calls it', () => {
  const served = new Set(ROUTES.flatMap(({ document }) => fieldsOf(document.toString())));
  const without = CASES.filter(({ document, rest }) => !rest && fieldsOf(document).some((field) => served.has(field)));
  expect(without.map(({ operation, situation }) => `${operation}: ${situation}`)).toEqual([]);
});

test('each row has a case, and each case a row', () => {
  const names = (list: ReadonlyArray<{ operation: string; situation: string }>) =>
    list.map(({ operation, situation }) => `${operation}: ${situation}`).sort();
  expect(names(CASES)).toEqual(names(MATRIX));
});

test('each field of Query and Mutation has a row', () => {
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
  const known = new Set(MATRIX.map(({ operation }) => operation));
  expect(fields.filter((field) => !known.has(field))).toEqual([]);
});

/** The fields of Query or Mutation that a document selects; the lists of `search`, which have different REST paths. */
function fieldsOf(document: string): string[] {
  return parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? fieldsIn(definition.selectionSet).flatMap(({ name, selectionSet }) =>
          name.value === 'search' ? fieldsIn(selectionSet!).map((list) => `search.${list.name.value}`) : [name.value],
        )
      : [],
  );
}

const fieldsIn = ({ selections }: SelectionSetNode) => selections.filter((one) => one.kind === Kind.FIELD);
