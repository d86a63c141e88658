import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { MIGRATIONS } from '../../src/store/migrations/list.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { unpackWrittenFolder } from './written-folder.ts';

let program: BuiltProgram;
let folder: string;
beforeAll(async () => {
  program = await buildGateway();
  folder = await unpackWrittenFolder();
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The lines that a gateway logs until it listens. */
async function startOnce(): Promise<string[]> {
  const { MONGODB_URI: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    env: { ...env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'info', NODE_ENV: 'test', RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('Server listening')) break;
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  return lines.filter((line) => line.includes('Migration '));
}

it('a start logs each migration before it listens, and the next start runs none', async () => {
  const lines = await startOnce();
  expect(lines.length).toBe(MIGRATIONS.length);
  for (const [i, { version, name }] of MIGRATIONS.entries())
    expect(lines[i]).toContain(`Migration ${version}: ${name}.`);
  expect(await startOnce()).toEqual([]);
});
