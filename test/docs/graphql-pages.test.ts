import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'docs', 'graphql');
const names = (await readdir(FOLDER)).map((name) => name.replace('.md', ''));
const texts = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(join(FOLDER, `${name}.md`), 'utf8')] as const)),
);

/** The examples of a page in a language, in order. */
const examples = (name: string, language: string) =>
  [...texts.get(name)!.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const programs = names.filter((name) => examples(name, 'js').length > 0);

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  const port = await freePort();
  gateway = await startTestGateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-graphql-pages-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const host = gateway.url.replace('http://', '');
  for (const name of programs) {
    const file = name === 'sessions' ? 'session' : name;
    await writeFile(join(folder, `${file}.mjs`), examples(name, 'js').join('\n').replaceAll('localhost:4000', host));
  }
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(programs)('the program of %s runs, and prints what the page shows', async (name) => {
  const file = name === 'sessions' ? 'session' : name;
  const { stdout } = await run(process.execPath, [`${file}.mjs`], {
    cwd: folder,
    env: { ...process.env, API_KEY: gateway.keys.API_KEY, NO_COLOR: '1' },
    timeout: 100_000,
  });
  expect(stdout).toBe(examples(name, 'text').join(''));
});

test('every client and subject has a page with a program', () => {
  const subjects = [
    'ids',
    'pagination',
    'errors',
    'uploads',
    'realtime',
    'sessions',
    'limits',
    'testing',
    'persisted-documents',
  ];
  expect(programs.sort()).toEqual(['apollo', 'relay', 'svelte-vue', 'tutorial', 'urql', ...subjects].sort());
});
