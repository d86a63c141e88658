import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('reports the other processes when a worker dies during the request', async () => {
  const program = new URL('./dying-worker.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program]);
  expect(JSON.parse(stdout)).toEqual({ wasConnected: true, reports: ['primary'] });
}, 30_000);
