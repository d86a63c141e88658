import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
let ids: Awaited<ReturnType<typeof readSampleIds>>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ids = await readSampleIds(gateway);
});
afterAll(() => gateway.close());

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  items?: JsonSchema;
  properties?: { [name: string]: JsonSchema };
  anyOf?: JsonSchema[];
}
interface Operation {
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

const { paths } = JSON.parse(JSON.stringify(printOpenApi(schema, ROUTES))) as {
  paths: { [path: string]: { [method: string]: Operation } };
};

/** For each JSON type, values of other types, including those that a query string would contain. */
const WRONG: { [type: string]: unknown[] } = {
  array: ['bob', { 0: 'bob' }, 1, true],
  integer: ['3', '', true, [3], { $gt: 0 }],
  number: ['3', '', true, [3], { $gt: 0 }],
  boolean: ['true', '1', 1, 'null', [true], {}],
  string: [5, true, ['x'], { $ne: null }],
  object: ['x', 5, ['x'], true],
};

interface Field {
  path: string[];
  /** Returns the body with this value for the field. */
  withValue: (value: unknown) => unknown;
  types: string[];
}

/** Every field of a body, at any depth, with sample values for its siblings. */
function fieldsOf(schema: JsonSchema, sample: unknown, put: (value: unknown) => unknown, path: string[] = []): Field[] {
  const alternatives = schema.anyOf ?? [schema];
  const own =
    path.length > 0 ? [{ path, withValue: put, types: alternatives.flatMap(({ type }) => type ?? 'any') }] : [];
  const object = alternatives.find(({ properties }) => properties);
  if (object) {
    const given = (typeof sample === 'object' && sample !== null ? sample : {}) as { [name: string]: unknown };
    const inner = Object.entries(object.properties!).flatMap(([name, field]) =>
      fieldsOf(field, given[name], (value) => put({ ...given, [name]: value }), [...path, name]),
    );
    return [...own, ...inner];
  }
  const items = alternatives.find((one) => one.items)?.items;
  if (!items) return own;
  const [first] = Array.isArray(sample) ? sample : [undefined];
  return [...own, ...fieldsOf(items, first, (value) => put([value]), [...path, '0'])];
}

test('converts numbers, booleans and lists in query strings', async () => {
  const query = 'roles=community-moderator&userIds=bob';
  const { status } = await gateway.rest(`/api/v4/communities/gardeners/users/roles?${query}`, { method: 'DELETE' });
  expect(status).toBe(200);
  const feed = await gateway.rest('/api/v3/content-feeds?hasFlag=null&isDeleted=0&options[limit]=1');
  expect([feed.status, feed.body.data.posts.length]).toEqual([200, 1]);
});

const WITH_BODY = ROUTES.filter(
  ({ method, path }) => paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!.requestBody,
);

test('covers more than 40 routes with bodies', () => expect(WITH_BODY.length).toBeGreaterThan(40));

describe.each(WITH_BODY.map((route) => [routeName(route), route] as const))('%s', (name, { method, path, open }) => {
  const body = paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!.requestBody!;

  test('rejects values of a wrong JSON type and names the field', async () => {
    const { as = 'alice', ...call } = CALLS[name]?.(ids) ?? { path, body: {}, as: 'alice' };
    const fields = fieldsOf(body.content['application/json'].schema, call.body ?? {}, (value) => value);
    for (const field of fields.filter(({ types }) => !types.includes('any'))) {
      const wrong = field.types.map((type) => WRONG[type] ?? []).filter((values) => values.length > 0);
      for (const value of wrong.flat().filter((one) => !field.types.includes(typeOf(one)))) {
        const answer = await gateway.rest(call.path, {
          as: open ? null : as,
          method,
          body: field.withValue(value),
          headers: { 'x-api-key': gateway.keys.API_KEY, 'x-server-key': gateway.keys.SERVER_KEY },
        });
        expect([field.path, value, answer.status, answer.body.code]).toEqual([field.path, value, 422, 500000]);
        const named = (answer.body.data.detail as string[]).some((line) => line.startsWith(field.path[0]!));
        expect([field.path, value, answer.body.data.detail, named]).toContain(true);
      }
    }
  });
});

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
