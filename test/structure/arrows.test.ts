import { expect, test } from 'vitest';
import { type Import, imports } from './import-graph.ts';

const broken = (rule: (one: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`);
const under = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`${folder}/`));

test('the reader finds imports to check', () => {
  expect(imports.length).toBeGreaterThan(200);
});

test('doors depend on the schema, the schema on the domain, the domain on the store, never the other way', () => {
  const wires = ['src/gateway.ts', 'src/process/start.ts', 'src/main.ts'];
  expect(broken(({ from, to }) => under(from, 'schema') && under(to, 'rest-compat'))).toEqual([]);
  expect(
    broken(({ from, to }) => under(from, 'src') && under(to, 'schema', 'rest-compat') && !wires.includes(from)),
  ).toEqual([]);
  expect(broken(({ from, to }) => under(from, 'src/store') && under(to, 'src/domain', 'src/access'))).toEqual([]);
  expect(
    broken(({ from, to, typeOnly }) => under(from, 'src/access') && under(to, 'src/domain', 'src/store') && !typeOnly),
  ).toEqual([]);
  expect(
    broken(
      ({ from, to }) =>
        under(from, 'src/embedded') && under(to, 'src/domain', 'src/store', 'src/access', 'schema', 'rest-compat'),
    ),
  ).toEqual([]);
});

test('the engine is reached through its own doors alone: to be served, and to be looked after', () => {
  const isDoor = (to: string) => ['src/embedded/index.ts', 'src/embedded/maintenance/index.ts'].includes(to);
  expect(broken(({ from, to }) => !under(from, 'src/embedded') && under(to, 'src/embedded') && !isDoor(to))).toEqual(
    [],
  );
  expect(
    broken(({ from, to }) => under(to, 'src/embedded/maintenance') && !under(from, 'src/embedded', 'src/store-cli')),
  ).toEqual([]);
});

test('the REST door reaches data only by executing documents', () => {
  expect(
    broken(
      ({ from, to, typeOnly }) =>
        under(from, 'rest-compat') && under(to, 'src/domain', 'src/access', 'src/embedded') && !typeOnly,
    ),
  ).toEqual([]);
  expect(
    broken(
      ({ from, to, typeOnly }) =>
        under(from, 'rest-compat') && under(to, 'src/store') && !typeOnly && to !== 'src/store/page.ts',
    ),
  ).toEqual([]);
});

test('HTTP and GraphQL stay out of domain, access, store and engine', () => {
  const inner = ['src/domain', 'src/access', 'src/store', 'src/embedded'];
  expect(
    broken(({ from, to }) => under(from, ...inner) && /^(graphql|fastify|@fastify\/|graphql-|@pothos\/|ws$)/.test(to)),
  ).toEqual([]);
});

test('a noun never reaches into the folder of a resolver: the schema holds types and two-line resolvers', () => {
  expect(
    broken(({ from, to }) => under(from, 'schema') && to === 'mongodb' && !from.startsWith('schema/shared/')),
  ).toEqual([]);
});
