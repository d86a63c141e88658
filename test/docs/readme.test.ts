import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const TUTORIALS = (await readdir(join(ROOT, 'docs', 'tutorials'))).map((file) => `docs/tutorials/${file}`);

let gateway: TestGateway;
let folders: string;
beforeAll(async () => {
  const port = await freePort();
  // Responses contain URLs of the gateway, which the commands use.
  gateway = await startTestGateway({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_DELIVERY: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  folders = await mkdtemp(join(tmpdir(), 'colloquy-readme-'));
});
afterAll(async () => {
  await gateway.close();
  await rm(folders, { recursive: true, force: true });
});

test.each(['README.md', ...TUTORIALS])(
  'every command of %s works as pasted and prints what the page shows',
  async (page) => {
    const text = await readFile(join(ROOT, page), 'utf8');
    const steps = [...text.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```(?:text|json)\n([\s\S]*?)```)?/g)].map(
      ([, commands, output]) => ({ commands: commands!, output }),
    );
    expect(steps.filter(({ output }) => output).length).toBeGreaterThan(3);
    const host = gateway.url.replace('http://', '');
    const script = steps
      .map(({ commands }) => `${commands.replaceAll('localhost:4000', host)}\necho; echo "---8<---"`)
      .join('\n');
    const folder = await mkdtemp(join(folders, 'page-'));
    await symlink(gateway.services.config.DATA_DIR, join(folder, 'data'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    const printed = stdout.split('\n---8<---\n');
    steps.forEach(({ commands, output }, index) => {
      if (output) expect(printed[index]!.trim(), commands).toBe(output.trim());
    });
  },
);
