import { ObjectId } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';
import { openConsole, signInAs } from './console-page.ts';

describe.skipIf(mayGoWithout)('the moderation page', () => {
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

  async function openQueue(): Promise<Page> {
    const { page } = await openConsole(browser, gateway);
    await signInAs(page, 'admin');
    await page.goto(`${gateway.url}/admin/moderation`);
    await page.getByText('Select all of this page').waitFor();
    return page;
  }

  async function createFlaggedPost(text: string): Promise<string> {
    const mutate = successfulMutations(gateway);
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } };
    const { post } = await mutate('bob', 'createPost', input, 'post { postId }');
    await mutate('carol', 'flagPost', { postId: post.postId });
    return post.postId;
  }

  const itemOf = (page: Page, text: string) => page.locator('.queue-item', { hasText: text });

  async function isDeleted(postId: string): Promise<boolean> {
    const { data } = await gateway.graphql(`{ post(postId: "${postId}") { isDeleted } }`, { as: 'bob' });
    return JSON.stringify(data) !== '{"post":{"isDeleted":false}}';
  }

  test('a post is deleted by keyboard after a confirmation only', async () => {
    const postId = await createFlaggedPost('To be removed by keyboard');
    const page = await openQueue();
    const item = itemOf(page, 'To be removed by keyboard');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    while ((await item.getAttribute('aria-current')) !== 'true') await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await isDeleted(postId)).toBe(false);
    await page.keyboard.press('x');
    await page.getByRole('dialog').getByText('To be removed by keyboard').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await item.waitFor({ state: 'detached' });
    expect(await isDeleted(postId)).toBe(true);
    await page.close();
  });

  test('several selected items are cleared of their flags together', async () => {
    const posts = [await createFlaggedPost('First of two'), await createFlaggedPost('Second of two')];
    const page = await openQueue();
    for (const text of ['First of two', 'Second of two']) await itemOf(page, text).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('button', { name: 'Clear flags' }).click();
    await page.getByText('2 items are cleared of flags.').waitFor();
    await itemOf(page, 'of two').first().waitFor({ state: 'detached' });
    for (const postId of posts) {
      const { data } = await gateway.graphql(`{ post(postId: "${postId}") { flagCount } }`, { as: 'admin' });
      expect(data).toEqual({ post: { flagCount: 0 } });
    }
    await page.close();
  });

  test('the queue fills by itself, and the current item stays the same', async () => {
    const page = await openQueue();
    await page.clock.install();
    await page.reload();
    const current = page.locator('.queue-item[aria-current="true"]');
    const before = await current.textContent();
    await createFlaggedPost('Arrives later');
    await page.clock.runFor(10_000);
    await itemOf(page, 'Arrives later').waitFor();
    expect(await current.textContent()).toBe(before);
    await page.close();
  });

  test('a post in review is approved by keyboard', async () => {
    const page = await openQueue();
    await page.getByRole('tab', { name: 'Posts in review' }).click();
    await page.getByLabel('Community').selectOption('Orchard Keepers');
    await itemOf(page, 'Which rootstock for heavy clay?').waitFor();
    await page.keyboard.press('a');
    await page.getByText('One item is approved.').waitFor();
    const { data } = await gateway.graphql('{ post(postId: "which-rootstock") { feedType } }', { as: 'admin' });
    expect(data).toEqual({ post: { feedType: 'PUBLISHED' } });
    await page.close();
  });

  test('of 10,000 flagged posts one page is loaded at a time', async () => {
    const { posts } = gateway.services.store.collections;
    const postId = await createFlaggedPost('One of many');
    const flagged = await posts.findOne({ networkId: gateway.networkId, postId });
    const copies = Array.from({ length: 10_000 }, (_, index) => ({
      ...flagged!,
      _id: new ObjectId(),
      postId: `many-${index}`,
    }));
    await posts.insertMany(copies as never);
    const started = performance.now();
    const page = await openQueue();
    const shownAfterMs = Math.round(performance.now() - started);
    expect(await page.locator('.queue-item').count()).toBe(25);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await expect.poll(() => page.locator('.queue-item').count()).toBe(25);
    if (process.env.SHOW_TIMES) console.log(`Sign-in to interactive queue of 10,000: ${shownAfterMs} ms`);
    await page.close();
  });
});
