import { Kind, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { MATRIX } from '../../src/access/matrix/index.ts';
import { expectedOutcomes, graphqlOutcomes, restOutcomes, restRequests, SCENES } from './outcomes.ts';
import { createWorld, type RestRequest, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
}, 240_000);
afterAll(() => world.gateway.close());

describe('each actor meets over GraphQL what the matrix says', () => {
  test.each(SCENES.map((scene) => [`${scene.operation}: ${scene.situation}`, scene] as const))(
    '%s',
    async (_, scene) => {
      expect(await graphqlOutcomes(world, scene)).toEqual(expectedOutcomes(scene));
    },
  );
});

/** The REST paths that were called, by method. */
const called = new Set<string>();

describe('each actor meets over REST what the matrix says', () => {
  const onRequest = ({ method, path }: RestRequest) => called.add(`${method} ${path.replace(/\?.*/, '')}`);
  test.each(restRequests(SCENES))('%s', async (_, scene, rest) => {
    expect(await restOutcomes(world, scene, rest, onRequest)).toEqual(expectedOutcomes(scene));
  });
});

test('every REST path is called by a scene', () => {
  const named = ({ method, path }: Route) => `${method} ${path}`;
  const matches = (request: string) => (route: Route) =>
    new RegExp(`^${named(route).replace(/:\w+/g, '[^/]+')}$`).test(request);
  // A path without parameters goes first: `/posts/list` is not the post `list`.
  const asked = new Set(
    [...called].map((request) => ROUTES.find((route) => named(route) === request) ?? ROUTES.find(matches(request))),
  );
  expect(ROUTES.filter((route) => !asked.has(route)).map(named)).toEqual([]);
});

test('every scene of an operation that REST has asks it there too', () => {
  const served = new Set(ROUTES.flatMap(({ document }) => fieldsOf(document.toString())));
  const without = SCENES.filter(({ operation, rest }) => served.has(operation) && !rest);
  expect(without.map(({ operation, situation }) => `${operation}: ${situation}`)).toEqual([]);
});

test('every row has a scene, and every scene a row', () => {
  const names = (list: ReadonlyArray<{ operation: string; situation: string }>) =>
    list.map(({ operation, situation }) => `${operation}: ${situation}`).sort();
  expect(names(SCENES)).toEqual(names(MATRIX));
});

test('every field of Query and Mutation has a row', () => {
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
  const known = new Set(MATRIX.map(({ operation }) => operation));
  expect(fields.filter((field) => !known.has(field))).toEqual([]);
});

/** The fields of Query or Mutation that a document asks. */
function fieldsOf(document: string): string[] {
  return parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []))
      : [],
  );
}
