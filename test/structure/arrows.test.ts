import { expect, test } from 'vitest';
import { type Import, imports } from './import-graph.ts';

const broken = (rule: (one: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`);
const under = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`${folder}/`));

test('the import graph is not empty', () => {
  expect(imports.length).toBeGreaterThan(200);
});

test('transports depend on the schema, the schema on the domain, the domain on the store, never the other way', () => {
  const entryPoints = ['src/gateway.ts', 'src/process/start.ts', 'src/main.ts'];
  expect(broken(({ from, to }) => under(from, 'schema') && under(to, 'rest-compat'))).toEqual([]);
  expect(
    broken(({ from, to }) => under(from, 'src') && under(to, 'schema', 'rest-compat') && !entryPoints.includes(from)),
  ).toEqual([]);
  expect(broken(({ from, to }) => under(from, 'src/store') && under(to, 'src/domain', 'src/access'))).toEqual([]);
  const belowProcess = [
    'domain',
    'access',
    'store',
    'events',
    'realtime',
    'webhooks',
    'files',
    'limits',
    'observe',
    'lib',
  ];
  const isBelowProcess = (from: string) => under(from, ...belowProcess.map((name) => `src/${name}`));
  expect(broken(({ from, to }) => isBelowProcess(from) && under(to, 'src/process'))).toEqual([]);
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

test('the embedded store is imported only through its index and that of its maintenance folder', () => {
  const isIndex = (to: string) => ['src/embedded/index.ts', 'src/embedded/maintenance/index.ts'].includes(to);
  expect(broken(({ from, to }) => !under(from, 'src/embedded') && under(to, 'src/embedded') && !isIndex(to))).toEqual(
    [],
  );
  expect(
    broken(({ from, to }) => under(to, 'src/embedded/maintenance') && !under(from, 'src/embedded', 'src/store-cli')),
  ).toEqual([]);
});

test('the REST API reaches data only by executing documents', () => {
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

test('domain, access, store and embedded store import nothing of HTTP or GraphQL', () => {
  const inner = ['src/domain', 'src/access', 'src/store', 'src/embedded'];
  expect(
    broken(({ from, to }) => under(from, ...inner) && /^(graphql|fastify|@fastify\/|graphql-|@pothos\/|ws$)/.test(to)),
  ).toEqual([]);
});

test('the schema does not import the database driver, except in schema/shared', () => {
  expect(
    broken(({ from, to }) => under(from, 'schema') && to === 'mongodb' && !from.startsWith('schema/shared/')),
  ).toEqual([]);
});
