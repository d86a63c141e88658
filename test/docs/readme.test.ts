import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const run = promisify(execFile);

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  const port = await freePort();
  // Addresses in answers are asked for, too.
  gateway = await startTestGateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-tour-'));
  await symlink(gateway.services.config.DATA_DIR, join(folder, 'data'));
  await symlink(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('every command of the tour works as pasted and prints what the README says', async () => {
  const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  const steps = [...readme.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```(?:text|json)\n([\s\S]*?)```)?/g)].map(
    ([, commands, output]) => ({ commands: commands!, output }),
  );
  expect(steps.length).toBeGreaterThan(6);
  const here = gateway.url.replace('http://', '');
  const script = steps
    .map(({ commands }) => `${commands.replaceAll('localhost:4000', here)}\necho; echo "---8<---"`)
    .join('\n');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  const printed = stdout.split('\n---8<---\n');
  steps.forEach(({ commands, output }, index) => {
    if (output) expect(printed[index]!.trim(), commands).toBe(output.trim());
  });
});
