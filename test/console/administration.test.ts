import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { openConsole, signInAs } from './console-page.ts';

describe.skipIf(mayGoWithout)('the pages of administrators', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function openAs(userId: 'admin' | 'alice', path: string): Promise<Page> {
    const { page } = await openConsole(browser, gateway);
    await signInAs(page, userId);
    await page.goto(`${gateway.url}/admin/${path}`);
    return page;
  }

  test('the overview queries the status again at an interval, but not while it is hidden', async () => {
    const page = await openAs('admin', 'explorers');
    let queries = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('query Overview')) queries += 1;
    });
    await page.clock.install();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('The database is available').waitFor();
    expect(queries).toBe(1);
    await page.clock.runFor(10_000);
    await expect.poll(() => queries).toBe(2);
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', writable: true }));
    await page.clock.runFor(60_000);
    expect(queries).toBe(2);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => queries).toBe(3);
    await page.close();
  });

  test('a chart says its latest and highest value', async () => {
    const page = await openAs('admin', 'overview');
    await page.getByRole('img', { name: /^Memory over 1 min: now [\d.]+ MB, at most [\d.]+ MB$/ }).waitFor();
    await page.close();
  });

  test('a moderator sees neither the overview nor the audit log', async () => {
    const page = await openAs('alice', 'overview');
    await page.getByText('Your roles do not allow this page.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.close();
  });

  test('the audit log is filtered by act and affected user, and read page by page', async () => {
    const mutate = mutations(gateway);
    for (let round = 0; round < 13; round++)
      for (const act of ['banUser', 'unbanUser']) await mutate('admin', act, { userId: 'kim' }, '__typename');
    const page = await openAs('admin', 'audit');
    const rows = page.locator('#main tbody tr');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByLabel('User id of the affected user').fill('kim');
    await page.getByLabel('Act, such as banUser').fill('unbanUser');
    await expect.poll(() => rows.count()).toBe(13);
    expect(await rows.first().textContent()).toMatch(/Ada Min.*unbanUser.*Kim/);
    await page.getByLabel('Kind of the record').selectOption('Post');
    await page.getByText('No act matches.').waitFor();
    await page.close();
  });

  test('the days of the audit log include both bounds', async () => {
    await mutations(gateway)('admin', 'banUser', { userId: 'ivan' }, '__typename');
    const page = await openAs('admin', 'audit');
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv'));
    const row = page.locator('#main tbody tr', { hasText: 'banUser' }).first();
    await page.getByLabel('First day').fill(today);
    await page.getByLabel('Last day').fill(today);
    await row.waitFor();
    await page.getByLabel('First day').fill('2999-01-01');
    await page.getByText('No act matches.').waitFor();
    await page.close();
  });
});
