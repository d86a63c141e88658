import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContext } from '../../src/context.ts';
import { createLoginLink } from '../../src/domain/session/login-link.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConsole, signInAs } from './console-page.ts';

if (mayGoWithout) console.warn('Chromium is not installed, so the console is not tested.');

describe.skipIf(mayGoWithout)('sign-in to the console', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined });
    browser = await startBrowser();
    ({ page, problems } = await openConsole(browser, gateway));
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('an administrator signs in with a sample account, and out, which ends the session', async () => {
    await signInAs(page, 'admin');
    const stored = await page.evaluate(() => sessionStorage.getItem('colloquy.session'));
    const { accessToken } = JSON.parse(stored!) as { accessToken: string };
    await page.getByRole('button', { name: 'Ada Min' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ query: '{ viewer { userId } }' }),
    });
    expect(await answer.text()).not.toContain('"userId":"admin"');
  });

  test('a wrong token is reported', async () => {
    await page.getByLabel('API key of the network').fill(gateway.keys.API_KEY);
    await page.getByLabel('User id').fill('admin');
    await page.getByLabel('Authentication token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The authToken is not valid.' }).waitFor();
  });

  test('a login link opens the console once, and does not stay in the address', async () => {
    const context = createContext(gateway.services, null);
    const { networkId } = gateway;
    const { token } = await createLoginLink(context, { networkId, userId: 'admin', minutes: 10 });
    const linked = await openConsole(browser, gateway);
    await linked.page.goto(`${gateway.url}/admin/login#${token}`);
    await linked.page.getByRole('button', { name: 'Ada Min' }).waitFor();
    expect(linked.page.url()).not.toContain(token);
    await linked.page.context().close();
    const again = await openConsole(browser, gateway);
    await again.page.goto(`${gateway.url}/admin/login#${token}`);
    await again.page.getByText('This link was used, has expired, or does not exist.').waitFor();
    await again.page.context().close();
    expect([...linked.problems, ...again.problems]).toEqual([]);
  });

  test('a member without a privilege is refused', async () => {
    await page.getByLabel('User id').fill('heidi');
    await page.getByLabel('Authentication token').fill('');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'No access to the console' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
