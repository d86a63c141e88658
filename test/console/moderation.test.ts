import { ObjectId } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/axe.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';
import { openConsole, signInAs } from './console-page.ts';
import { describeMeasurement, measureQueue } from './measure-queue.ts';

/** Elements of the page, however long the queue is. */
const MAX_NODES = 2_000;

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

  async function openQueue(as: 'admin' | 'alice' = 'admin'): Promise<Page> {
    const { page } = await openConsole(browser, gateway);
    await signInAs(page, as);
    await page.goto(`${gateway.url}/admin/moderation`);
    await page.getByText(/Select all/).waitFor();
    return page;
  }

  async function createFlaggedPost(text: string, as = 'bob'): Promise<string> {
    const mutate = successfulMutations(gateway);
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } };
    const { post } = await mutate(as, 'createPost', input, 'post { postId }');
    await mutate('carol', 'flagPost', { postId: post.postId, reason: 'SPAM_OR_SCAMS', detail: `Why: ${text}` });
    return post.postId;
  }

  const itemOf = (page: Page, text: string) => page.locator('.queue-item', { hasText: text });
  const currentOf = (page: Page) => page.locator('.queue-item[aria-current="true"]');

  async function postOf(postId: string): Promise<{ isDeleted: boolean; flagCount: number; feedType: string }> {
    const { data } = await gateway.graphql<{ post: never }>(
      `{ post(postId: "${postId}") { isDeleted flagCount feedType } }`,
      { as: 'admin' },
    );
    return data.post;
  }

  test('has items of all kinds with the flags of the current one, and filters them', async () => {
    const page = await openQueue();
    for (const kind of ['post', 'comment', 'story', 'message', 'user']) {
      await page.getByLabel('Kind').selectOption(kind.toUpperCase());
      await page
        .locator('.queue-item .badge', { hasText: new RegExp(`^${kind}$`) })
        .first()
        .waitFor();
    }
    await page.getByLabel('Kind').selectOption('');
    await page.getByLabel('State').selectOption('AWAITING_REVIEW');
    await itemOf(page, 'Which rootstock for heavy clay?').waitFor();
    await page.getByLabel('State').selectOption('FLAGGED');
    await createFlaggedPost('With a flag and its detail');
    await itemOf(page, 'With a flag and its detail').getByRole('button').click();
    await page.getByText('Why: With a flag and its detail').waitFor();
    await page.getByText(/Removals: \d/).waitFor();
    await page.close();
  });

  test('a post is deleted by keyboard after a confirmation with a reason only', async () => {
    const postId = await createFlaggedPost('To be removed by keyboard');
    const page = await openQueue();
    const item = itemOf(page, 'To be removed by keyboard');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    while ((await item.getAttribute('aria-current')) !== 'true') await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await postOf(postId)).toMatchObject({ isDeleted: false });
    await page.keyboard.press('x');
    await page.getByRole('dialog').getByText('To be removed by keyboard').waitFor();
    await page.getByRole('dialog').getByLabel('Reason').fill('Advertising');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await item.waitFor({ state: 'detached' });
    expect(await postOf(postId)).toMatchObject({ isDeleted: true });
    const entry = await gateway.services.store.collections.auditEntries.findOne({
      networkId: gateway.networkId,
      subjectId: postId,
    });
    expect(entry).toMatchObject({ action: 'resolveModerationItems', reason: 'Advertising', actorId: 'admin' });
    await page.close();
  });

  test('several selected items are approved together, with one reason', async () => {
    const posts = [await createFlaggedPost('First of two'), await createFlaggedPost('Second of two')];
    const page = await openQueue();
    for (const text of ['First of two', 'Second of two']) await itemOf(page, text).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await itemOf(page, 'Second of two').getByRole('button').click();
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByLabel('Reason').fill('Harmless');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('2 items are approved.').waitFor();
    await itemOf(page, 'of two').first().waitFor({ state: 'detached' });
    for (const postId of posts) expect(await postOf(postId)).toMatchObject({ flagCount: 0, isDeleted: false });
    await page.close();
  });

  test('a moderator of a community bans the author from it', async () => {
    const postId = await createFlaggedPost('Of an author to ban', 'grace');
    const page = await openQueue('alice');
    await itemOf(page, 'Of an author to ban').getByRole('button').click();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Ban from').locator('option').allTextContents()).toEqual(['From the community']);
    await dialog.getByLabel('End of the ban').selectOption('7');
    await dialog.getByLabel('Reason').fill('Spam');
    await dialog.getByRole('button', { name: 'Ban author' }).click();
    await itemOf(page, 'Of an author to ban').waitFor({ state: 'detached' });
    expect(await postOf(postId)).toMatchObject({ isDeleted: true });
    const ban = await gateway.services.store.collections.communityUsers.findOne({
      networkId: gateway.networkId,
      communityId: 'gardeners',
      userId: 'grace',
    });
    expect(ban).toMatchObject({
      isBanned: true,
      ban: { reason: 'Spam', bannedBy: 'alice', expiresAt: expect.any(Date) },
    });
    await page.close();
  });

  test('the queue fills and empties by itself, and the current item stays the same', async () => {
    const page = await openQueue();
    const before = await currentOf(page).textContent();
    const postId = await createFlaggedPost('Arrives later');
    const item = itemOf(page, 'Arrives later');
    await item.waitFor();
    expect(await currentOf(page).textContent()).toBe(before);
    await successfulMutations(gateway)('alice', 'clearPostFlags', { postId });
    await item.waitFor({ state: 'detached' });
    await page.close();
  });

  test('a post in review is declined by keyboard', async () => {
    const page = await openQueue();
    await page.getByLabel('State').selectOption('AWAITING_REVIEW');
    await itemOf(page, 'Which rootstock for heavy clay?').getByRole('button').click();
    await page.keyboard.press('d');
    await page.getByText('One item is declined.').waitFor();
    expect(await postOf('which-rootstock')).toMatchObject({ feedType: 'DECLINED' });
    await page.close();
  });

  test('an administrator tries the block lists, which others do not see', async () => {
    const input = { blockedWords: ['miracle grow'], allowedLinkDomains: ['example.com'] };
    await successfulMutations(gateway)('admin', 'updateContentRules', input);
    const page = await openQueue();
    await page.getByRole('tab', { name: 'Try the rules' }).click();
    await page.getByLabel('Text to try').fill('A Miracle Grow from https://elsewhere.test/offer');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByRole('status').getByText('miracle grow').waitFor();
    await page.getByRole('status').getByText('elsewhere.test').waitFor();
    await page.getByLabel('Text to try').fill('A slow grow');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('No rule excludes this text.').waitFor();
    await successfulMutations(gateway)('admin', 'updateContentRules', { blockedWords: [], allowedLinkDomains: null });
    await page.close();
    const other = await openQueue('alice');
    expect(await other.getByRole('tab').count()).toBe(0);
    await other.close();
  });

  test('a member is refused', async () => {
    const { page } = await openConsole(browser, gateway);
    await page.getByRole('button', { name: /bob:/ }).click();
    await page.goto(`${gateway.url}/admin/moderation`);
    await expect.poll(() => page.locator('.queue-item').count()).toBe(0);
    expect(await page.getByText(/Select all/).count()).toBe(0);
    await page.close();
  });

  test('a page of the queue that cannot be loaded is requested once, and again on request', async () => {
    const { page } = await openConsole(browser, gateway);
    await signInAs(page, 'admin');
    let requests = 0;
    await page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('query ModerationQueue')) return route.fallback();
      requests += 1;
      return route.abort();
    });
    await page.goto(`${gateway.url}/admin/moderation`);
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.waitForTimeout(500);
    expect(requests).toBe(1);
    await page.unroute('**/graphql');
    await retry.click();
    await page.locator('.queue-item').first().waitFor();
    await page.close();
  });

  test('of 10,000 flagged posts only those in view are rendered', async () => {
    const { posts } = gateway.services.store.collections;
    const postId = await createFlaggedPost('One of many');
    const flagged = await posts.findOne({ networkId: gateway.networkId, postId });
    const copies = Array.from({ length: 10_000 }, (_, index) => ({
      ...flagged!,
      _id: new ObjectId(),
      postId: `many-${index}`,
    }));
    await posts.insertMany(copies as never);
    const page = await openQueue();
    const measured = await measureQueue(page);
    expect(measured.nodes).toBeLessThan(MAX_NODES);
    console.log(describeMeasurement(measured));
    expect(await findings(page)).toEqual([]);
    const list = page.getByRole('region', { name: 'Items' });
    // Each scroll to the end loads the next page.
    for (let loaded = 100; loaded <= 1_000; loaded += 100) {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await expect
        .poll(async () => Number(await page.locator('.queue-item').last().getAttribute('aria-setsize')))
        .toBeGreaterThan(loaded);
      expect(await page.locator('.queue-item').count()).toBeLessThan(60);
    }
    await page.close();
  });
});
