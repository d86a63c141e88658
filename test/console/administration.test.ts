import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { openConsole, signInAs } from './console-page.ts';

describe.skipIf(mayGoWithout)('the pages of administrators', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    const accepted = ['ended@2020-01-31', 'ending@2999-12-31'].map((one) => `${'s'.repeat(32)}-${one}`);
    gateway = await startTestGateway({ PUBLIC_URL: undefined, TOKEN_SECRET_ACCEPTED: accepted.join(',') });
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
    await page.getByRole('img', { name: /^Memory over 1 min: now [\d.]+ [MG]B, at most [\d.]+ [MG]B$/ }).waitFor();
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

  /** Whether a session can be created with a key. */
  async function isAccepted(apiKey: string): Promise<boolean> {
    const query = `mutation { createSession(input: { userId: "leo", deviceId: "keys" }) { __typename } }`;
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ query }),
    });
    return (await answer.text()).includes('CreateSessionPayload');
  }

  test('the settings show which token secrets are accepted, and until when', async () => {
    const page = await openAs('admin', 'settings');
    const rows = page.getByRole('region', { name: 'Secrets of access tokens' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.nth(0).textContent()).toMatch(/^TOKEN_SECRETSigns and verifiesValid$/);
    expect(await rows.nth(1).textContent()).toMatch(/^TOKEN_SECRET_ACCEPTED, 1VerifiesEnded/);
    expect(await rows.nth(2).textContent()).toMatch(/^TOKEN_SECRET_ACCEPTED, 2VerifiesEnds/);
    expect(await page.content()).not.toContain('s'.repeat(32));
    await page.close();
  });

  test('a key is created, shown once, replaced with an overlap, and retired', async () => {
    const page = await openAs('admin', 'settings');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const secret = page.locator('#main .secret code');
    await page.getByLabel('Name').fill('Phone app');
    await page.getByRole('button', { name: 'Create' }).click();
    const first = (await secret.textContent())!;
    expect(await isAccepted(first)).toBe(true);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);

    const renamed = page.locator('#main tbody tr', { hasText: 'Phone app' });
    await renamed.getByText(`${first.slice(0, 10)}…`).waitFor();
    await renamed.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('New name').fill('Telephone');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    const rows = page.locator('#main tbody tr', { hasText: 'Telephone' });
    await rows.first().waitFor();
    expect(await rows.first().getByRole('time').count()).toBeGreaterThanOrEqual(1);
    await rows.getByRole('button', { name: 'Rotate' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Hours/)
      .fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await rows.filter({ hasText: 'Ends' }).waitFor();
    const second = (await secret.textContent())!;
    expect(second).not.toBe(first);
    expect([await isAccepted(first), await isAccepted(second)]).toEqual([true, true]);

    await rows.filter({ hasText: 'Ends' }).getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await rows.filter({ hasText: 'Ended' }).waitFor();
    expect([await isAccepted(first), await isAccepted(second)]).toEqual([false, true]);

    await page.reload();
    await rows.first().waitFor();
    expect(await page.content()).not.toContain(second);
    await page.close();
  });

  test('content rules and settings are changed', async () => {
    const page = await openAs('admin', 'settings');
    await page.getByRole('tab', { name: 'Content rules' }).click();
    await page.getByLabel('Blocked words and phrases').fill('snake oil\n\n  miracle cure ');
    await page.getByLabel('Texts can link to all domains').uncheck();
    await page.getByLabel('Domains to which texts can link').fill('example.com');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('The rules are saved.').waitFor();
    const { data } = await gateway.graphql('{ contentRules { blockedWords allowedLinkDomains } }', { as: 'admin' });
    expect(data).toEqual({
      contentRules: { blockedWords: ['snake oil', 'miracle cure'], allowedLinkDomains: ['example.com'] },
    });

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Only followers and moderators').check();
    await page.getByLabel('All posts that the user sees').uncheck();
    await page.getByLabel('Messages can mention everybody').uncheck();
    await page.getByLabel('Domain').fill('app.example.com');
    await page.getByLabel('Paths by kind of record').fill('{"post": ');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The paths are not valid JSON.').waitFor();
    await page.getByLabel('Paths by kind of record').fill('{"post": "/post/{postId}"}');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const settings = await gateway.graphql('{ networkSettings { social chat deepLinks createsUnknownUsers } }', {
      as: 'admin',
    });
    expect(settings.data).toMatchObject({
      networkSettings: {
        social: { enabled: true, userPrivacySetting: 'private', globalFeed: { showEveryonePost: false } },
        chat: { enabled: true, mention: { isAllowMentionAll: false, isAllowMentionedUsers: true } },
        deepLinks: { domain: 'app.example.com', patterns: { post: '/post/{postId}' } },
        createsUnknownUsers: true,
      },
    });
    await page.close();
  });

  test('the settings are refused to a moderator of a community', async () => {
    const page = await openAs('alice', 'settings');
    await page.getByText('Your roles do not allow this page.').waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await page.close();
  });

  test('the data of a person is erased, and the page shows how far it is', async () => {
    const page = await openAs('admin', 'people/mia');
    await page.getByRole('button', { name: 'Erase data' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('request 4711');
    await page.getByRole('dialog').getByRole('button', { name: 'Erase data' }).click();
    await page.getByText('Completed', { exact: true }).waitFor();
    const { data } = await gateway.graphql('{ userErasure(userId: "mia") { state content } }', { as: 'admin' });
    expect(data).toEqual({ userErasure: { state: 'COMPLETED', content: 'KEEP' } });
    await page.close();
  });

  // The last test: it ends the sessions of the others.
  test('all sessions are ended after a confirmation, and the own one on request', async () => {
    const isSignedIn = async (token: string) =>
      (await fetch(`${gateway.url}/api/v3/sessions`, { headers: { authorization: `Bearer ${token}` } })).ok;
    const token = await signIn(gateway, 'judy', 'a phone');
    const page = await openAs('admin', 'settings');
    await page.getByRole('tab', { name: 'Sessions' }).click();
    const end = page.getByRole('button', { name: 'End all sessions' });
    await end.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await isSignedIn(token)).toBe(true);
    await end.click();
    await page.getByRole('dialog').getByText('Everybody but you').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('All sessions are ended.').waitFor();
    expect(await isSignedIn(token)).toBe(false);
    await page.getByLabel('Keep this session').uncheck();
    await end.click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('You ended all sessions, including this one.').waitFor();
    await page.close();
  });
});
