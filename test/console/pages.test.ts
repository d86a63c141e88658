import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/axe.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { prepareWebhooks, WEBHOOK_IDS } from '../support/operations/webhook.ts';
import { openConsole, signInAs } from './console-page.ts';

const ENDPOINT_PAGE = `webhooks/${WEBHOOK_IDS.endpointId}`;

/** Path below `/admin`, and text that the loaded page shows. */
const PAGES = [
  ['overview', 'Webhook backlog'],
  ['moderation', 'Moderation'],
  ['content', 'Content'],
  ['people', 'Ada Min'],
  ['people/alice', 'Keeps the gardeners together.'],
  ['communities', 'The Gardeners'],
  ['communities/gardeners', 'Alice Moor'],
  ['channels', 'Channels'],
  ['channels/gardeners-chat', 'Alice Moor'],
  ['roles', 'Global admin'],
  ['webhooks', 'Add an endpoint'],
  [ENDPOINT_PAGE, 'v3.post.didCreate'],
  ['settings', 'API_KEY'],
  ['audit', 'unbanUser'],
  ['events', 'Waiting for events.'],
  ['explorers', 'OpenAPI document'],
  ['no-such-page', 'There is no page at this address.'],
] as const;

/** Pages without a picture in the documentation. */
const NOT_SHOWN: ReadonlySet<string> = new Set([ENDPOINT_PAGE, 'no-such-page']);

/** Pages whose picture is kept in the dark theme too. */
const DARK: ReadonlySet<string> = new Set(['overview', 'moderation', 'people']);

/** With `SCREENSHOTS`, writes a picture of a page into that folder. */
async function keepScreenshot(page: Page, path: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder || NOT_SHOWN.has(path) || (colorScheme === 'dark' && !DARK.has(path))) return;
  const name = `${path.replace('/', '-')}${colorScheme === 'dark' ? '-dark' : ''}`;
  // Without the lower part, pictures of long lists stay below 150 kB.
  const clip = { x: 0, y: 0, width: page.viewportSize()!.width, height: 720 };
  await page.screenshot({ path: `${folder}/${name}.png`, clip });
}

describe.skipIf(mayGoWithout)('the pages of the console', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined });
    browser = await startBrowser();
    await prepareWebhooks(gateway.services.store.collections);
    for (const act of ['banUser', 'unbanUser']) await mutations(gateway)('admin', act, { userId: 'leo' }, '__typename');
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function signedIn(userId: 'admin' | 'alice', options?: Parameters<typeof openConsole>[2]) {
    const opened = await openConsole(browser, gateway, options);
    await signInAs(opened.page, userId);
    return opened;
  }

  async function expectAccessible(page: Page, path: string): Promise<void> {
    expect([path, await findings(page)]).toEqual([path, []]);
  }

  test.each(['light', 'dark'] as const)(
    'every page and tab loads for an administrator without a serious finding of axe (%s)',
    async (colorScheme) => {
      const { page, problems } = await signedIn('admin', { viewport: { width: 1_360, height: 860 }, colorScheme });
      for (const [path, text] of PAGES) {
        await page.goto(`${gateway.url}/admin/${path}`);
        await page.locator('#main').getByText(text).first().waitFor();
        await expectAccessible(page, path);
        await keepScreenshot(page, path, colorScheme);
        const tabs = page.locator('#main').getByRole('tab');
        for (let index = 1; index < (await tabs.count()); index += 1) {
          await tabs.nth(index).click();
          await page.locator('#main .loading').waitFor({ state: 'detached' });
          await expectAccessible(page, `${path}: ${await tabs.nth(index).textContent()}`);
        }
      }
      // The browser reports the status 404 of the unknown page.
      expect(problems.filter((problem) => !/status of 404/.test(problem))).toEqual([]);
      await page.close();
    },
  );

  test.each(['light', 'dark'] as const)(
    'the sign-in, dialogs, menus and the refusal of a member are without a serious finding of axe (%s)',
    async (colorScheme) => {
      const options = { viewport: { width: 1_360, height: 860 }, colorScheme };
      const { page } = await openConsole(browser, gateway, options);
      await page.getByRole('button', { name: /bob:/ }).waitFor();
      await expectAccessible(page, 'sign-in');
      await page.getByLabel('API key of the network').fill(gateway.keys.API_KEY);
      await page.getByLabel('User id').fill('heidi');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'No access to the console' }).waitFor();
      await expectAccessible(page, 'refusal');
      await page.close();

      const { page: own } = await signedIn('admin', options);
      await own.getByRole('button', { name: 'Ada Min' }).click();
      await own.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await expectAccessible(own, 'menu of the user');
      await own.goto(`${gateway.url}/admin/moderation`);
      await own.locator('.queue-item').first().waitFor();
      for (const key of ['?', 'x', 'b']) {
        const dialog = own.getByRole('dialog');
        // Keys that are pressed before the page listens to them are lost.
        await expect
          .poll(async () => {
            await own.keyboard.press(key);
            return dialog.isVisible();
          })
          .toBe(true);
        await expectAccessible(own, `dialog of the key ${key}`);
        await own.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await own.close();
    },
  );

  test('every page works if only trusted documents are allowed', async () => {
    const own = await startTestGateway({ PUBLIC_URL: undefined, TRUSTED_DOCUMENTS_ONLY: 'true' });
    await prepareWebhooks(own.services.store.collections);
    const { page, problems } = await openConsole(browser, own);
    await signInAs(page, 'admin');
    for (const [path, text] of PAGES) {
      // Nobody has been banned on this gateway.
      if (path === 'audit') continue;
      await page.goto(`${own.url}/admin/${path}`);
      await page.locator('#main').getByText(text).first().waitFor();
    }
    expect(problems.filter((problem) => !/status of 404/.test(problem))).toEqual([]);
    await page.close();
    await own.close();
  });

  test('each tab of the settings is without a serious finding of axe, on a desktop and a phone', async () => {
    for (const width of [1_360, 390]) {
      const { page, problems } = await openConsole(browser, gateway, { viewport: { width, height: 860 } });
      await page.getByRole('button', { name: /admin:/ }).click();
      await page.getByText('Webhook backlog').waitFor();
      await page.goto(`${gateway.url}/admin/settings`);
      for (const tab of ['Content rules', 'Settings', 'Sessions']) {
        await page.getByRole('tab', { name: tab }).click();
        await page
          .locator('#main')
          .getByRole('button', { name: /^(Save|End)/ })
          .waitFor();
        await expectAccessible(page, `settings: ${tab}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([tab, overflow <= 0]).toEqual([tab, true]);
        if (tab === 'Settings' && width > 1_000) await keepScreenshot(page, 'settings/network', 'light');
      }
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  test('a phone shows the navigation in a menu, and no page is wider than the screen', async () => {
    const { page } = await openConsole(browser, gateway, { viewport: { width: 390, height: 800 } });
    await page.getByRole('button', { name: /admin:/ }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByText('Ada Min').first().waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page, 'people');
    await keepScreenshot(page, 'phone', 'light');
    await page.close();
  });

  test('a moderator of a community sees no page for settings', async () => {
    const { page, problems } = await signedIn('alice');
    await page.getByRole('heading', { name: 'Moderation' }).waitFor();
    const pages = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(pages).toContain('Moderation');
    expect(pages).not.toContain('Webhooks');
    await page.goto(`${gateway.url}/admin/webhooks`);
    await page.getByText('Your roles do not allow this page.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('an administrator bans a user and lifts the ban', async () => {
    const { page } = await signedIn('admin');
    await page.goto(`${gateway.url}/admin/people/kim`);
    const isBanned = async () =>
      (await gateway.graphql('{ user(userId: "kim") { isGlobalBan } }', { as: 'alice' })).data;
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('spam');
    await page.getByRole('dialog').getByLabel('End of the ban').selectOption('For a week');
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
    await page.getByRole('button', { name: 'Lift ban' }).waitFor();
    expect(await isBanned()).toEqual({ user: { isGlobalBan: true } });
    const { data } = await gateway.graphql<{ bans: { edges: Array<{ node: { reason: string; expiresAt: string } }> } }>(
      '{ bans(filter: { kind: NETWORK, userId: "kim" }) { edges { node { reason expiresAt } } } }',
      { as: 'admin' },
    );
    const [{ node: ban }] = data.bans.edges as [{ node: { reason: string; expiresAt: string } }];
    expect(ban.reason).toBe('spam');
    expect(Math.round((Date.parse(ban.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    await page.getByRole('button', { name: 'Lift ban' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift ban' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
    expect(await isBanned()).toEqual({ user: { isGlobalBan: false } });
    await page.close();
  });

  test('a page of live events shows what other users do', async () => {
    const { page } = await signedIn('admin');
    await page.getByRole('link', { name: 'Live events' }).click();
    await page.getByText('Waiting for events.').waitFor();
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'seen live' } };
    await expect
      .poll(async () => {
        await mutations(gateway)('bob', 'createPost', input, 'post { postId }');
        return page.locator('#main tbody').textContent();
      })
      .toContain('POST_CREATED');
    await page.close();
  });
});
