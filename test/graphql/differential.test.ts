import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { createExecutor, isRefused } from '../../schema/execute.ts';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { SAMPLE_VARIABLES } from '../support/sample-variables.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const onMaskedError = (error: Error) => `masked: ${error.message}`;
const compiled = createExecutor({ schema, onMaskedError });
const interpreted = createExecutor({ schema, onMaskedError, compile: false });

/** Every read document in the repository: those of the routes and those written for this test. */
const folder = join(import.meta.dirname, 'documents');
const documents: Array<[name: string, source: string]> = [
  ...ROUTES.map((row): [string, string] => [`${row.method} ${row.path}`, row.document.toString()]),
  ...readdirSync(folder).map((file): [string, string] => [file, readFileSync(join(folder, file), 'utf8')]),
];

test.each(documents)('%s runs the same compiled as interpreted', async (_, source) => {
  const operation = parse(source).definitions.find((definition) => definition.kind === 'OperationDefinition')!;
  if (operation.operation !== 'query') return;
  const named = operation.name?.value ?? '';
  const sets = SAMPLE_VARIABLES[named] ?? [{}];
  for (const variables of sets) {
    for (const userId of ['alice', 'erin', 'admin']) {
      const [a, b] = await Promise.all(
        [compiled, interpreted].map((executor) => answer(executor, source, variables, userId)),
      );
      expect(a).toEqual(b);
      if (userId === 'alice')
        expect(JSON.parse(a!).data, `${named} ${JSON.stringify(variables)} answers nothing`).toBeTruthy();
    }
  }
});

async function answer(
  executor: typeof compiled,
  source: string,
  variables: Record<string, unknown>,
  userId: string,
): Promise<string> {
  const prepared = executor.prepare(source);
  if (isRefused(prepared)) throw new Error(prepared.errors[0]!.message);
  prepared.uses = 5; // Compiled at once rather than on the second use.
  const { services } = gateway;
  const viewer = await authenticate(services, await gateway.tokenOf(userId));
  const { data, errors } = await executor.run(prepared, { variables, context: createContext(services, viewer) });
  return JSON.stringify({
    data,
    errors: errors?.map(({ message, path, extensions }) => ({ message, path, code: extensions?.code })),
  });
}
