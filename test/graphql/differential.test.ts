import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFlatten, compileUnwritten } from '../../rest-compat/flatten.ts';
import { parseParams } from '../../rest-compat/params.ts';
import { bodyPieces } from '../../rest-compat/record-text.ts';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import type { Prepared } from '../../schema/documents/prepare.ts';
import { createExecutor, type Executor } from '../../schema/execute.ts';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { joinPieces } from '../../src/limits/answer-text.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';
import { SAMPLE_VARIABLES } from '../support/sample-variables.ts';
import { whole } from '../support/whole-result.ts';

// Two equal networks, so that each mutation can run once with each executor.
let gateways: [TestGateway, TestGateway];
beforeAll(async () => {
  gateways = [await startTestGateway(), await startTestGateway()];
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

const onMaskedError = (error: Error) => `masked: ${error.message}`;
const planned = createExecutor({ schema, onMaskedError });
const reference = createExecutor({ schema, onMaskedError, plan: false });

const NOW = new Date();
const kindOf = (source: string) =>
  parse(source).definitions.find((definition) => definition.kind === 'OperationDefinition')!;

/** All documents of the REST routes, and those written for this test. */
const folder = join(import.meta.dirname, 'documents');
const documents: Array<[name: string, source: string]> = [
  ...ROUTES.map((route): [string, string] => [routeName(route), route.document.toString()]),
  ...readdirSync(folder).map((file): [string, string] => [file, readFileSync(join(folder, file), 'utf8')]),
];
const queries = documents.filter(([, source]) => kindOf(source).operation === 'query');
const mutations = ROUTES.filter((route) => !route.open && kindOf(route.document.toString()).operation === 'mutation');

test.each(queries)('%s returns the same result as graphql-js', async (name, source) => {
  const named = kindOf(source).name?.value ?? '';
  for (const variables of SAMPLE_VARIABLES[named] ?? [await variablesOfRoute(name)]) {
    for (const userId of ['alice', 'erin', 'admin']) {
      const [a, b] = await Promise.all(
        [planned, reference].map((executor) => answer({ executor, gateway: gateways[0], source, variables, userId })),
      );
      expect(a).toEqual(b);
      if (userId === 'alice')
        expect(JSON.parse(a!).data, `${named} ${JSON.stringify(variables)} returns no data`).toBeTruthy();
    }
  }
});

const queried = ROUTES.filter((route) => kindOf(route.document.toString()).operation === 'query');
test.each(queried.map((route) => [routeName(route), route] as const))(
  '%s serializes the same records in parts and as a whole',
  async (name, { document, arrays }) => {
    const parsed = document.read();
    const prepared = planned.prepareOwn(parsed);
    const inParts = compileUnwritten(schema, parsed, arrays);
    const asWhole = compileFlatten(schema, parsed, arrays);
    const variables = await variablesOfRoute(name);
    for (const userId of ['alice', 'admin', 'alice']) {
      const { data } = await run({ executor: planned, prepared, gateway: gateways[0], variables, userId });
      const text = await joinPieces(bodyPieces(inParts(data!).arrays), 'answerBytes');
      expect(text).toBe(JSON.stringify(asWhole(data!).arrays));
    }
  },
);

describe.each(mutations.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
  test('returns the same result as graphql-js', async () => {
    const [ids] = await Promise.all(gateways.map(readSampleIds));
    const call = CALLS[name]!(ids!);
    const variables = variablesOf(route, call);
    const source = route.document.toString();
    // Signing out would leave erin without a session for the other routes.
    const outsiders = name.endsWith('/sessions') ? [] : ['erin'];
    for (const userId of [...outsiders, call.as ?? 'alice']) {
      const [a, b] = await Promise.all([
        answer({ executor: planned, gateway: gateways[0], source, variables, userId }),
        answer({ executor: reference, gateway: gateways[1], source, variables, userId }),
      ]);
      expect(withoutTimesAndIds(a)).toEqual(withoutTimesAndIds(b));
    }
  });
});

/** The variables of the sample call of a route; none for a document that no route executes. */
async function variablesOfRoute(name: string): Promise<Record<string, unknown>> {
  const route = ROUTES.find((candidate) => routeName(candidate) === name);
  return route ? variablesOf(route, CALLS[name]!(await readSampleIds(gateways[0]))) : {};
}

function variablesOf(route: Route, call: { path: string; body?: unknown }) {
  return (route.variables as (params: unknown) => Record<string, unknown>)(
    parseParams(route.params, rawParams(route, call)),
  );
}

function rawParams(route: Route, { path, body }: { path: string; body?: unknown }) {
  const [pathname, query] = path.split('?');
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const pattern = new RegExp(`^${route.path.replace(/:\w+/g, '([^/]+)')}$`);
  const values = pattern.exec(pathname!)!.slice(1).map(decodeURIComponent);
  return {
    path: Object.fromEntries(names.map((name, index) => [name, values[index]])),
    query: qs.parse(query ?? ''),
    body,
  };
}

/** Replaces times and generated ids, the only differences between the two networks. */
function withoutTimesAndIds(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replace(/"closedIn":\d+/g, '"closedIn":0')
    .replace(/[0-9a-f]{24}/g, 'id');
}

interface Run {
  executor: Executor;
  gateway: TestGateway;
  prepared: Prepared;
  variables: Record<string, unknown>;
  userId: string;
}

async function run({ executor, gateway, prepared, variables, userId }: Run) {
  // Scores of search results depend on the time.
  const services = { ...gateway.services, now: () => NOW };
  const viewer = await authenticate(services, await gateway.tokenOf(userId));
  return executor.run(prepared, { variables, context: createContext(services, viewer) });
}

async function answer({ source, ...how }: Omit<Run, 'prepared'> & { source: string }): Promise<string> {
  const { data, errors } = await run({ ...how, prepared: how.executor.prepareOwn(parse(source)) });
  return JSON.stringify({
    data: whole(data),
    errors: errors?.map(({ message, path, extensions }) => ({ message, path, code: extensions?.code })),
  });
}
