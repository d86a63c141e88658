import type { Browser, Page } from 'playwright-core';
import type { TestGateway } from '../support/gateway.ts';

export interface ConsolePage {
  page: Page;
  /** Errors of the page, and requests to other hosts. */
  problems: string[];
}

export async function openConsole(
  browser: Browser,
  gateway: Pick<TestGateway, 'url'>,
  options: Parameters<Browser['newPage']>[0] = { viewport: { width: 1_360, height: 860 } },
): Promise<ConsolePage> {
  const page = await browser.newPage(options);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(gateway.url) && !/^(data|blob):/.test(request.url())) problems.push(request.url());
  });
  await page.goto(`${gateway.url}/admin`);
  return { page, problems };
}

/** Signs in with a sample account of the development gateway. */
export async function signInAs(page: Page, userId: 'admin' | 'alice' | 'bob'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${userId}:`) }).click();
  await page.getByRole('navigation').waitFor();
}
