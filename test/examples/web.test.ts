import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/axe.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { type AppUser, type ExampleApp, serveExample, signIn } from './example-app.ts';

/** Compressed bytes of the script. */
const MAX_SCRIPT_BYTES = 150_000;
const CHANNEL = 'Alice Moor, Bob Hazel';

describe.skipIf(mayGoWithout)('the example application', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let app: ExampleApp;
  let alice: AppUser;
  let bob: AppUser;
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined, NODE_ENV: 'development' });
    browser = await startBrowser();
    app = await serveExample({ url: gateway.url, apiKey: gateway.keys.API_KEY });
    alice = await signIn(browser, app, 'alice');
    bob = await signIn(browser, app, 'bob');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await gateway?.close();
  });

  test('its script is small', () => {
    const html = readFileSync(join(app.folder, 'index.html'), 'utf8');
    const [, script] = /src="\/(assets\/[^"]+\.js)"/.exec(html)!;
    expect(gzipSync(readFileSync(join(app.folder, script!))).length).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  test('a post with a picture, a like and a comment appear to another user without a reload', async () => {
    await alice.page.getByLabel('What is growing?').fill('The first figs.');
    await alice.page.getByLabel('Where to post').selectOption({ label: 'The Gardeners' });
    await alice.page.getByLabel('Picture').setInputFiles({ name: 'figs.png', mimeType: 'image/png', buffer: PNG });
    await alice.page.getByLabel('What the picture shows').fill('Three figs on a plate');
    await alice.page.getByRole('button', { name: 'Post' }).click();
    const post = bob.page.getByRole('article').filter({ hasText: 'The first figs.' });
    await post.waitFor();
    const picture = post.getByAltText('Three figs on a plate');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await post.getByRole('button', { name: /Like/ }).click();
    await post.getByRole('button', { name: '0 comments' }).click();
    await post.getByLabel('Write a comment').fill('Save me one.');
    await bob.page.keyboard.press('Enter');
    await post.getByText('Save me one.').waitFor();
    const seen = alice.page.getByRole('article').filter({ hasText: 'The first figs.' });
    await seen.getByRole('button', { name: 'Like · 1' }).waitFor();
    await seen.getByRole('button', { name: '1 comment' }).click();
    await seen.getByText('Save me one.').waitFor();
    expect(await seen.count()).toBe(1);
  });

  test('unread messages are counted, and the sender sees that they were read', async () => {
    const badge = bob.page.getByRole('button', { name: /^Chat/ }).locator('.unread');
    const total = async () => Number.parseInt((await badge.allTextContents())[0] ?? '0', 10);
    const before = await total();
    await alice.openChannel(CHANNEL);
    await alice.write('Are the figs ripe?');
    await expect.poll(total).toBe(before + 1);
    await bob.openChannel(CHANNEL);
    await expect.poll(async () => (await bob.messages()).at(-1)).toBe('Are the figs ripe?');
    const sent = alice.page.getByRole('log').locator('li').filter({ hasText: 'Are the figs ripe?' });
    await sent.getByText('read by 1').waitFor();
    const channel = bob.page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name: CHANNEL });
    await expect.poll(() => channel.locator('.unread').count()).toBe(0);
  });

  test('a message that arrives while older ones load is shown', async () => {
    await bob.page.reload();
    await bob.page.getByRole('article').first().waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      bob.page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('query Conversation')) return route.fallback();
        const response = await route.fetch();
        resolve();
        await released;
        await route.fulfill({ response });
      });
    });
    await bob.openChannel(CHANNEL);
    await answered;
    await alice.openChannel(CHANNEL);
    await alice.write('Are the pears ripe too?');
    const channel = bob.page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name: CHANNEL });
    await channel.locator('.unread').waitFor();
    release();
    await expect.poll(async () => (await bob.messages()).at(-1)).toBe('Are the pears ripe too?');
    await bob.page.unroute('**/graphql');
  });

  test('a subscription that the gateway ends continues, and shows what happened meanwhile', async () => {
    let refused = 0;
    await bob.page.routeWebSocket(/graphql/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { id, type } = JSON.parse(String(text));
        if (type !== 'subscribe' || refused > 0) return server.send(text);
        refused += 1;
        const payload = [{ message: 'Try again later.', extensions: { code: 'UNAVAILABLE' } }];
        socket.send(JSON.stringify({ id, type: 'error', payload }));
      });
    });
    await bob.page.reload();
    await expect.poll(() => refused).toBe(1);
    await bob.openChannel(CHANNEL);
    await alice.write('And the quinces?');
    await expect.poll(async () => (await bob.messages()).at(-1)).toBe('And the quinces?');
  });

  test.each(['light', 'dark'] as const)('has no serious finding of accessibility in the %s theme', async (scheme) => {
    for (const width of [1_100, 390]) {
      await alice.page.setViewportSize({ width, height: 800 });
      await alice.page.emulateMedia({ colorScheme: scheme });
      for (const name of ['Feed', 'Chat']) {
        await alice.page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }).click();
        await alice.page
          .locator(name === 'Feed' ? 'article' : '.channels li')
          .first()
          .waitFor();
        expect([width, name, await findings(alice.page)]).toEqual([width, name, []]);
      }
      await alice.openChannel(CHANNEL);
      await alice.page.getByText('Are the figs ripe?').waitFor();
      expect([width, await findings(alice.page)]).toEqual([width, []]);
    }
    await alice.page.setViewportSize({ width: 1_100, height: 800 });
  });

  test('a refused text stays in its field, and a banned user is signed out', async () => {
    await mutations(gateway)('admin', 'updateContentRules', { blockedWords: ['aphids'] }, '__typename');
    await bob.write('So many aphids here');
    await bob.page.getByRole('alert').waitFor();
    await mutations(gateway)('admin', 'banUser', { userId: 'bob' }, '__typename');
    await bob.page.getByText('Your account is closed.').waitFor();
  });

  test('no page reports an error', () => {
    expect([...alice.problems, ...bob.problems]).toEqual([]);
  });
});
