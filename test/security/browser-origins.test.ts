import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
