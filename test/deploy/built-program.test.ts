import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnGateway } from '../support/spawn-gateway.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A build on a busy machine. */
const BUILD_MS = 300_000;

let folder: string;
beforeAll(async () => {
  // Next to `dist`, so that it finds packages and documents.
  folder = await mkdtemp(join(ROOT, '.built-'));
  const env = { ...process.env, BUILD_FOLDER: folder };
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, env });
}, BUILD_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the program of `npm run build` starts several workers that count requests together, and stops', async () => {
  const gateway = await spawnGateway({
    file: join(folder, 'main.js'),
    cwd: ROOT,
    env: { WORKERS: '2', RATE_LIMIT_COUNTERS: 'database', DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1' },
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
