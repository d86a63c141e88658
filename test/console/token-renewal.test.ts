import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { openConsole, signInAs } from './console-page.ts';

describe.skipIf(mayGoWithout)('the console with short-lived access tokens', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined, ACCESS_TOKEN_MINUTES: '1' });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('tokens are renewed on the next request, and in time under an open page; the end of the session is reported', async () => {
    const { page, problems } = await openConsole(browser, gateway);
    await signInAs(page, 'admin');
    const stored = () =>
      page.evaluate(() => JSON.parse(sessionStorage.getItem('colloquy.session')!) as Record<string, string>);
    const first = await stored();
    expect(first.refreshToken).not.toBe('');
    // As if a minute had passed since the page was opened.
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('colloquy.session')!);
      sessionStorage.setItem('colloquy.session', JSON.stringify({ ...session, expiresAt: new Date().toISOString() }));
    });
    // From the next page on, the test can advance the time of the browser.
    await page.clock.install();
    await page.reload();
    await page.getByRole('navigation').waitFor();
    const second = await stored();
    expect(second.refreshToken).not.toBe(first.refreshToken);
    // The timer of the page renews it again before the minute ends.
    await page.clock.fastForward(50_000);
    await expect.poll(async () => (await stored()).refreshToken).not.toBe(second.refreshToken);
    expect(await page.getByRole('navigation').isVisible()).toBe(true);
    expect(problems).toEqual([]);
    await mutations(gateway)('admin', 'revokeSessions', { userId: 'admin' }, '__typename');
    await page.getByText('Your session has ended.').waitFor({ timeout: 60_000 });
    await page.context().close();
  });
});
