import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const pageOf = (path: string) => fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } });

test.each(['/', '/graphql', '/docs', '/docs/events'])('%s is served with security headers', async (path) => {
  const { status, headers } = await pageOf(path);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src '(none|self)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*|https:)/);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('every link of / leads to a page', async () => {
  const text = await (await pageOf('/')).text();
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!);
  expect(links).toEqual(expect.arrayContaining(['/graphql', '/docs', '/healthz', '/readyz']));
  for (const path of links) expect([path, (await pageOf(path)).status]).toEqual([path, 200]);
});

describe.skipIf(mayGoWithout)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens a page and collects its errors and its requests to other hosts. */
  async function open(path: string): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url) && !/^(data|blob):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(`${gateway.url}${path}`);
    return { page, problems };
  }

  test('the REST documentation groups, filters and sends operations with the given token', async () => {
    const { page, problems } = await open('/docs');
    await page.locator('.opblock-tag').first().waitFor({ timeout: 90_000 });
    const groups = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.dataset.tag));
    expect(groups).toEqual(expect.arrayContaining(['sessions', 'posts', 'channels', 'realtime', 'webhook']));
    expect(groups[0]).toBe('sessions');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs.png` });

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByLabel('auth-bearer-value').fill(await gateway.tokenOf('alice'));
    await page.getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.getByPlaceholder('Filter by tag').fill('getpost');
    const operation = page.locator('.opblock', { hasText: 'getPost' });
    await expect.poll(() => page.locator('.opblock').count()).toBe(1);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByPlaceholder('postId').fill('seedlings');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => operation.locator('.live-responses-table').textContent()).toContain('Eleven days');
    expect(problems).toEqual([]);
  });

  test('the landing page leads to GraphiQL', async () => {
    const { page, problems } = await open('/');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/landing.png` });
    await page.getByText('GraphiQL').click();
    await page.locator('.graphiql-execute-button').waitFor({ timeout: 60_000 });
    expect(problems).toEqual([]);
  });
});
