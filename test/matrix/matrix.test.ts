import { Kind, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { MATRIX } from '../../src/access/matrix/index.ts';
import { ACTORS, type Actor, type Outcome } from '../../src/access/matrix/row.ts';
import type { Scene } from './scene.ts';
import { CHAT_SCENES } from './scenes/chat.ts';
import { LIST_SCENES } from './scenes/lists.ts';
import { PEOPLE_SCENES } from './scenes/people.ts';
import { SOCIAL_SCENES } from './scenes/social.ts';
import { WEBHOOK_SCENES } from './scenes/webhook.ts';
import { type Answer, createWorld, type Variables, type World } from './world.ts';

const SCENES: Scene[] = [...PEOPLE_SCENES, ...SOCIAL_SCENES, ...CHAT_SCENES, ...LIST_SCENES, ...WEBHOOK_SCENES];
const actors = Object.keys(ACTORS) as Actor[];

let world: World;
beforeAll(async () => {
  world = await createWorld();
}, 240_000);
afterAll(() => world.gateway.close());

const REFUSALS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PERMISSION_DENIED',
  'BANNED',
  'USER_MUTED',
  'CHANNEL_MUTED',
  'CANNOT_BAN',
];

describe('each actor meets over GraphQL what the matrix says', () => {
  test.each(SCENES.map((scene) => [`${scene.operation}: ${scene.situation}`, scene] as const))(
    '%s',
    async (_, scene) => {
      const met: Partial<Record<Actor, Outcome | string>> = {};
      for (const actor of actors) {
        const variables = await scene.prepare(world, actor);
        met[actor] = graphqlOutcome(
          scene,
          await world.ask(actor, scene.document, variables, await scene.headers?.(world, actor)),
        );
      }
      expect(met).toEqual(rowOf(scene).outcomes);
    },
  );
});

/** The REST paths that were called, by method. */
const called = new Set<string>();

describe('each actor meets over REST what the matrix says', () => {
  const requests = SCENES.flatMap((scene) =>
    [scene.rest ?? []].flat().map((rest, index) => {
      const way = index === 0 ? '' : `, way ${index + 1}`;
      return [`${scene.operation}: ${scene.situation}${way}`, scene, rest] as const;
    }),
  );
  test.each(requests)('%s', async (_, scene, rest) => {
    const met: Partial<Record<Actor, Outcome | string>> = {};
    for (const actor of actors) {
      const variables = await scene.prepare(world, actor);
      const request = rest(variables);
      called.add(`${request.method} ${request.path.replace(/\?.*/, '')}`);
      const answer = await world.call(actor, { ...request, headers: await scene.headers?.(world, actor) });
      met[actor] = await restOutcome(scene, variables, answer);
    }
    expect(met).toEqual(rowOf(scene).outcomes);
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

function rowOf({ operation, situation }: Scene) {
  return MATRIX.find((row) => row.operation === operation && row.situation === situation)!;
}

/** Anything but the three outcomes comes back as it is, and so fails the comparison with its reason. */
function graphqlOutcome({ isAbsent = (answer) => answer === null }: Scene, { body }: Answer): string {
  if (body.errors) return outcomeOfCode(String(body.errors[0].extensions?.code), JSON.stringify(body.errors[0]));
  const { answer } = body.data;
  if (answer?.__typename === 'OperationError') return outcomeOfCode(answer.code, JSON.stringify(answer));
  return isAbsent(answer) ? 'absent' : 'allowed';
}

function outcomeOfCode(code: string, told: string): string {
  if (code === 'NOT_FOUND') return 'absent';
  return REFUSALS.includes(code) ? 'refused' : told;
}

async function restOutcome({ isAbsentInRest }: Scene, variables: Variables, { status, body }: Answer): Promise<string> {
  if (status === 200) return (await isAbsentInRest?.(body, variables, world)) ? 'absent' : 'allowed';
  if (status === 404 && body.code === 400400) return 'absent';
  return [401, 403].includes(status) ? 'refused' : JSON.stringify(body);
}
