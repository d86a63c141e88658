import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Bytes of all scripts and styles, compressed. */
const MAX_BYTES = 250_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ PUBLIC_URL: undefined });
});
afterAll(() => gateway.close());

const fetchPath = (path: string, headers: Record<string, string> = {}) => fetch(`${gateway.url}${path}`, { headers });

async function assetPaths(): Promise<string[]> {
  const html = await (await fetchPath('/admin')).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
}

test.each(['/admin', '/admin/', '/admin/people', '/admin/people/alice', '/admin/login'])(
  '%s is the console',
  async (path) => {
    const { status, headers } = await fetchPath(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-frame-options')).toBe('DENY');
  },
);

test('the policy allows scripts and styles of this server only, and the page has none inline', async () => {
  const answer = await fetchPath('/admin');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const html = await answer.text();
  expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]* src=)/);
});

test('an unknown page has status 404, and an unknown asset too', async () => {
  const page = await fetchPath('/admin/no-such-page');
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  for (const name of ['none.js', '..%2findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])
    expect((await fetchPath(`/admin/assets/${name}`)).status).toBe(404);
});

test('scripts and styles are cached for ever, compressed, and together within 250 kB', async () => {
  let bytes = 0;
  for (const path of await assetPaths()) {
    const { status, headers, ...answer } = await fetchPath(path, { 'accept-encoding': 'gzip' }).then(async (one) => ({
      status: one.status,
      headers: one.headers,
      body: Buffer.from(await one.arrayBuffer()),
    }));
    expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, 'gzip']);
    expect(headers.get('vary')).toContain('accept-encoding');
    if (!path.endsWith('.svg')) expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    bytes += gzipSync(answer.body).length;
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('a client that takes no compression gets plain text', async () => {
  const [script] = (await assetPaths()).filter((path) => path.endsWith('.js'));
  const { headers } = await fetchPath(script!, { 'accept-encoding': 'identity' });
  expect(headers.get('content-encoding')).toBeNull();
});

test('the landing page links to the console', async () => {
  expect(await (await fetchPath('/')).text()).toContain('href="/admin"');
});

/** Requests the sample accounts as a page of the gateway does, except for `changed`. */
function sampleAccounts(
  changed: Record<string, string> = {},
  { url }: Pick<TestGateway, 'url'> = gateway,
): Promise<{ apiKey: string | null; accounts: unknown[] }> {
  const headers = { origin: url, 'sec-fetch-site': 'same-origin', ...changed };
  return new Promise((resolve, reject) => {
    // `fetch` sets the header Host itself.
    request(`${url}/admin/sample-accounts`, { method: 'POST', headers }, async (answer) => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString()));
    })
      .on('error', reject)
      .end();
  });
}

test('a development gateway offers sample accounts to its own pages on its machine only', async () => {
  const offered = await sampleAccounts();
  expect(offered.apiKey).toBe(gateway.keys.API_KEY);
  expect(offered.accounts).toHaveLength(3);
  for (const headers of [
    { host: 'rebound.example' },
    { host: 'rebound.example', origin: 'http://rebound.example' },
    // What a proxy on this machine sends that rewrites Host and adds no header.
    { origin: 'https://community.example' },
    { origin: '' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-host': 'community.example' },
    { 'x-real-ip': '203.0.113.9' },
    { via: '1.1 proxy' },
    { forwarded: 'for=203.0.113.9' },
  ] as Array<Record<string, string>>)
    expect([headers, await sampleAccounts(headers)]).toEqual([headers, { apiKey: null, accounts: [] }]);
});

test.each([
  [
    'keys of its own',
    { API_KEY: 'key-of-the-operator', SERVER_KEY: 'server-key-of-the-operator', PUBLIC_URL: undefined },
  ],
  ['a public address', { PUBLIC_URL: 'https://community.example' }],
])('a gateway with %s offers no sample accounts', async (_, env) => {
  const own = await startTestGateway(env);
  const offered = await sampleAccounts({}, own);
  const landing = await (await fetch(own.url)).text();
  await own.close();
  expect(offered).toEqual({ apiKey: null, accounts: [] });
  expect(landing).not.toContain('account=admin');
});
