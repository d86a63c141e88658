import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { browserPath, mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const ORIGIN = 'https://app.example';
/** The request headers that published clients and the documentation use. */
const HEADERS = 'authorization,content-type,x-api-key,x-server-key,x-admin-token,idempotency-key,last-event-id';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CORS_ORIGINS: ORIGIN });
});
afterAll(() => gateway.close());

const preflight = (path: string, method: string, origin = ORIGIN) =>
  fetch(`${gateway.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': HEADERS },
  });

const listed = (value: string | null) => (value ?? '').toLowerCase().split(/, */);

describe('a page of an allowed origin', () => {
  const calls = [
    ...ROUTES.map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'x')] as const),
    ['POST', '/graphql'] as const,
    ['POST', '/api/v4/files'] as const,
    ['GET', '/realtime/post.created'] as const,
    ['GET', '/files/x'] as const,
  ];

  test('may send every method and header of the API, with and without a trailing slash', async () => {
    expect(new Set(calls.map(([method]) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
    for (const [method, path] of calls) {
      for (const url of [path, `${path}/`]) {
        const { status, headers } = await preflight(url, method);
        expect([url, status]).toEqual([url, 204]);
        expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
        expect(listed(headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
        expect(listed(headers.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(HEADERS.split(',')));
      }
    }
  });

  test('reaches every route with its method and can read the response', async () => {
    for (const [method, path] of calls) {
      const { status, headers } = await fetch(`${gateway.url}${path}/`, { method, headers: { origin: ORIGIN } });
      expect([method, path, status === 405 || status >= 500]).toEqual([method, path, false]);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    }
  });

  test('can read the documented response headers', async () => {
    const { headers } = await fetch(`${gateway.url}/healthz`, { headers: { origin: ORIGIN } });
    expect(listed(headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['event-cursor', 'idempotent-replayed', 'retry-after', 'content-range']),
    );
  });
});

test('sends no CORS headers to a page of another origin', async () => {
  const { headers } = await preflight('/api/v3/posts/x', 'DELETE', 'https://evil.example');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

describe('without CORS_ORIGINS', () => {
  const LOCAL = ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:8080'];
  const OTHER = ['https://evil.example', 'http://localhost.evil.example', 'http://evil.example/localhost:1', 'null'];

  const allowedBy = async ({ url }: TestGateway, origin: string) => {
    const method = { 'access-control-request-method': 'POST' };
    const { headers } = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { origin, ...method } });
    return headers.get('access-control-allow-origin');
  };

  test('allows pages of localhost in development only, and reports each other origin once', async () => {
    const development = await startTestGateway({ NODE_ENV: 'development', CORS_ORIGINS: '' });
    const warn = vi.spyOn(development.server.log, 'warn');
    try {
      for (const origin of LOCAL) expect(await allowedBy(development, origin)).toBe(origin);
      expect(await allowedBy(development, development.url)).toBe(development.url);
      expect(warn).not.toHaveBeenCalled();
      for (const origin of [...OTHER, ...OTHER]) expect(await allowedBy(development, origin)).toBeNull();
      const reports = warn.mock.calls.map(([details, message]) => [
        (details as { origin: string }).origin,
        String(message),
      ]);
      expect(reports).toEqual(OTHER.map((origin) => [origin, expect.stringContaining('CORS_ORIGINS')]));
      for (let other = 0; other < 100; other += 1) await allowedBy(development, `https://${other}.example`);
      expect(warn.mock.calls.length).toBe(50);
    } finally {
      await development.close();
    }
    const elsewhere = await startTestGateway({ CORS_ORIGINS: '' });
    try {
      for (const origin of LOCAL) expect(await allowedBy(elsewhere, origin)).toBeNull();
    } finally {
      await elsewhere.close();
    }
  });

  test.skipIf(mayGoWithout)(
    'a browser page of localhost opens a WebSocket and runs a query in development',
    async () => {
      const browser = await startBrowser();
      const development = await startTestGateway({ NODE_ENV: 'development', CORS_ORIGINS: '' });
      try {
        const page = await browser.newPage();
        await page.goto(`${gateway.url}/healthz`);
        const found = await page.evaluate(async (url) => {
          const body = JSON.stringify({ query: '{ __typename }' });
          const response = await fetch(`${url}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          });
          const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
          const opened = await new Promise((resolve) => {
            socket.onopen = () => resolve('open');
            socket.onerror = () => resolve('refused');
          });
          return { answer: await response.json(), opened };
        }, development.url);
        expect(found).toEqual({ answer: { data: { __typename: 'Query' } }, opened: 'open' });
      } finally {
        await browser.close();
        await development.close();
      }
    },
  );
});

test.skipIf(mayGoWithout)('lets a browser page of an allowed origin edit, delete and poll', async () => {
  expect(browserPath).not.toBeNull();
  const browser = await startBrowser();
  const pageOrigin = await startTestGateway({ CORS_ORIGINS: '' });
  const allowing = await startTestGateway({ CORS_ORIGINS: pageOrigin.url });
  try {
    const page = await browser.newPage();
    await page.goto(`${pageOrigin.url}/healthz`);
    const results = await page.evaluate(
      async ({ url, token }) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const call = async (method: string, path: string, body?: object) => {
          const response = await fetch(`${url}${path}`, {
            method,
            headers,
            ...(body && { body: JSON.stringify(body) }),
          });
          return response.status;
        };
        const poll = await fetch(`${url}/realtime/post.created`, { headers });
        return {
          put: await call('PUT', '/api/v4/posts/seedlings/', { data: { text: 'edited' } }),
          delete: await call('DELETE', '/api/v4/posts/seedlings/'),
          cursor: poll.headers.get('event-cursor'),
        };
      },
      { url: allowing.url, token: await allowing.tokenOf('alice') },
    );
    expect([results.put, results.delete]).toEqual([200, 200]);
    expect(results.cursor).toMatch(/^8/);
  } finally {
    await browser.close();
    await pageOrigin.close();
    await allowing.close();
  }
});
