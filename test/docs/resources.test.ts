import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const run = promisify(execFile);
const PAGES = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'resources');
const names = [
  ...(await readdir(PAGES)).filter((name) => name !== 'README.md'),
  '../events.md',
  '../graphql.md',
  '../../guides/moderation.md',
];
const pages = new Map<string, string>(
  await Promise.all(names.map(async (name) => [name, await readFile(join(PAGES, name), 'utf8')] as const)),
);
/** A picture of one point. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  const port = await freePort();
  gateway = await startTestGateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-examples-'));
  // Packages that a client would have installed.
  await symlink(join(PAGES, '..', '..', '..', 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'picture.png'), Buffer.from(PICTURE, 'base64'));
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const FENCE = '```';
/** The output of the example, if the page shows it. */
const OUTPUT = `(?:\n\n${FENCE}text\n([\\s\\S]*?)${FENCE})?`;
const examples = (page: string, language: string) =>
  [
    ...pages.get(page)!.matchAll(new RegExp(`${FENCE}${language}(?: as=(\\w+))?\n([\\s\\S]*?)${FENCE}${OUTPUT}`, 'g')),
  ].map(([, as = 'alice', text, output]) => ({ as, text: text!, output }));

test.each(names)('every GraphQL example of %s returns no error', async (page) => {
  const documents = examples(page, 'graphql');
  expect(documents.length).toBeGreaterThan(0);
  for (const { as, text } of documents) {
    const { data, errors } = await gateway.graphql(text, { as });
    expect({ text, errors }).toEqual({ text, errors: undefined });
    for (const answer of Object.values(data)) expect(answer, text).not.toHaveProperty('code');
  }
});

test.each(names)('every command of %s works as pasted', async (page) => {
  const here = gateway.url.replace('http://', '');
  for (const { as, text, output } of examples(page, 'sh')) {
    const env = {
      ...process.env,
      TOKEN: await gateway.tokenOf(as),
      ...gateway.keys,
    };
    // A refused request and an unset variable end the script.
    const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${text.replaceAll('localhost:4000', here)}`;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }).catch((failed) => {
      throw new Error(`${page}: ${text}\n${failed.stdout}\n${failed.stderr}`);
    });
    expect(stdout, text).not.toContain('OperationError');
    if (output) expect(stdout, text).toBe(output);
  }
});

test('every mutation is documented on a page', () => {
  const text = [...pages.values()].join('\n');
  const mutations = Object.keys(schema.getMutationType()!.getFields());
  expect(mutations.filter((mutation) => !new RegExp(`\\b${mutation}\\b`).test(text))).toEqual([]);
});
