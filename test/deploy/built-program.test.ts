import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltProgram, buildRelease } from '../support/build-program.ts';
import { spawnGateway } from '../support/spawn-gateway.ts';

/** A build on a busy machine. */
const BUILD_MS = 300_000;

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildRelease();
}, BUILD_MS);
afterAll(() => built.remove());

test('the program of `npm run build` starts several workers that count requests together, and stops', async () => {
  const gateway = await spawnGateway({
    file: join(built.folder, 'main.js'),
    env: { WORKERS: '2', RATE_LIMIT_COUNTERS: 'database', DATA_DIR: join(built.folder, 'data'), HOST: '127.0.0.1' },
  });
  const ask = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect(await ask.json()).toEqual({ data: { __typename: 'Query' } });
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toEqual([0, null]);
}, 120_000);
