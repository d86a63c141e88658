import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configSchema } from '../../src/config.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const get = async (path: string, accept = 'text/html') => {
  const response = await fetch(`${gateway.url}${path}`, { headers: { accept } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('the REST documentation loads no assets of other hosts', async () => {
  const page = await get('/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(assets.length).toBeGreaterThan(3);
  for (const asset of assets) {
    expect(asset).not.toMatch(/^(https?:)?\/\//);
    const { status, text } = await get(new URL(asset, `${gateway.url}/docs/`).pathname, '*/*');
    expect([asset, status, text.length > 0]).toEqual([asset, 200, true]);
  }
});

test.each(['openapi.json', 'asyncapi.json'])('%s is served as committed', async (name) => {
  const committed = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'));
  expect(JSON.parse((await get(`/${name}`)).text)).toEqual(committed);
});

test('files of the sample network are served with their type, and no other path is served', async () => {
  const { body } = await gateway.rest('/api/v3/posts/seedlings');
  for (const file of body.files as Array<{ fileId: string; attributes: { size: number; mimeType: string } }>) {
    const response = await fetch(`${gateway.url}/files/${file.fileId}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, file.attributes.mimeType]);
    expect((await response.arrayBuffer()).byteLength).toBe(file.attributes.size);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
  for (const path of ['..%2fkeys.json', '..%2f..%2fetc%2fpasswd', 'none', '%00']) {
    expect((await fetch(`${gateway.url}/files/${path}`)).status).toBeGreaterThanOrEqual(400);
  }
});

test('/healthz reports that the process runs, /readyz that it serves requests', async () => {
  expect((await get('/healthz')).text).toBe('{"status":"ok"}');
  expect((await get('/readyz')).text).toBe('{"status":"ready"}');
});

test('the configuration page documents every setting with its bounds, and the README names no other', () => {
  const root = join(import.meta.dirname, '..', '..');
  const settings = Object.keys(configSchema.shape).filter((name) => name !== 'EMBEDDED_STORE_URI');
  const page = readFileSync(join(root, 'docs', 'reference', 'configuration.md'), 'utf8');
  const [, printed] = /<!-- settings -->([\s\S]*)<!-- \/settings -->/.exec(page)!;
  const documented = [...printed!.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map((match) => match[1]!);
  expect(documented.sort()).toEqual(settings.sort());
  for (const bounds of [/`API_KEY` .*8–200 characters/, /`SERVER_KEY` .*16–200 characters/, /`PORT` .*0–65,535/])
    expect(printed).toMatch(bounds);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const [row] of readme.matchAll(/^\| `[A-Z_]+`.*?\|/gm))
    for (const [, name] of row.matchAll(/`([A-Z_]+)`/g)) expect(settings).toContain(name);
});
