import { decodeJwt } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

if (mayGoWithout)
  console.warn('Chromium is not installed, so the live page is not tested. Install it, or set CHROMIUM to its path.');

const HOSTILE = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 2</script>';

describe.skipIf(mayGoWithout)('the live page with short-lived access tokens', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ ACCESS_TOKEN_MINUTES: '1' });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('renews them in time, and also when the gateway has closed the connection', async () => {
    const page = await browser.newPage();
    await page.clock.install();
    const renewals: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/v5/sessions/refresh')) renewals.push(response.status());
    });
    await page.goto(`${gateway.url}/docs/events`);
    await page.waitForSelector('body[data-state=ready]');
    await page.fill('[name=userId]', 'bob');
    await page.fill('[name=apiKey]', gateway.keys.API_KEY);
    const signedIn = page.waitForResponse(/\/api\/v5\/sessions$/);
    await page.click('button');
    const { jti, net } = decodeJwt<{ net: string }>((await (await signedIn).json()).accessToken);
    await page.waitForSelector('body[data-state=live]');
    await page.clock.fastForward(46_000);
    await expect.poll(() => renewals).toEqual([200]);
    await page.waitForSelector('body[data-state=live]');

    const { sessions } = gateway.services.store.collections;
    const past = new Date(Date.now() - 1_000);
    await sessions.updateOne({ networkId: net, sessionId: jti! }, { $set: { accessExpiresAt: past } });
    await expect.poll(() => renewals).toEqual([200, 200]);
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'after the renewal' } };
    await mutations(gateway)('alice', 'createPost', input, '__typename');
    await page.locator('#events li').filter({ hasText: 'after the renewal' }).first().waitFor();

    await mutations(gateway)('admin', 'revokeSessions', { userId: 'bob' }, '__typename');
    await page.waitForSelector('body[data-state=ended]');
  });
});

describe.skipIf(mayGoWithout)('the live page', () => {
  let gateway: TestGateway;
  let proxy: CutProxy;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
    proxy = await startCutProxy(gateway.url);
    browser = await startBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // The browser logs broken connections itself.
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION/.test(message.text())) problems.push(message.text());
    });
    await page.goto(`${proxy.url}/docs/events`);
    await page.waitForSelector('body[data-state=ready]');
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.cut();
    await gateway?.close();
  });

  const post = async (text: string) => {
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } };
    const { post } = await mutations(gateway)('alice', 'createPost', input, 'post { postId }');
    return post.postId as string;
  };
  /** Ids of the posts shown, the oldest first. */
  const shown = () =>
    page.$$eval('#events pre', (all) => all.map((one) => JSON.parse(one.textContent ?? '').post.postId).reverse());
  const untilShown = (count: number) =>
    page.waitForFunction((count) => document.querySelectorAll('#events li').length >= count, count, {
      timeout: 20_000,
    });
  const state = () => page.textContent('#state');

  test('shows selected events of other users after a sign-in', async () => {
    await page.fill('[name=userId]', 'bob');
    await page.fill('[name=apiKey]', gateway.keys.API_KEY);
    await page.click('button');
    await page.waitForSelector('body[data-state=live]');
    await page.click('summary:text-is("post")');
    await page.check('[value=POST_CREATED]');
    await page.waitForSelector('body[data-state=live]');
    const postId = await post('seen live');
    await untilShown(1);
    expect(await shown()).toEqual([postId]);
    expect(await page.textContent('#events li')).toContain('seen live');
    expect(await state()).toBe('Live: 1 event, nothing missed.');
  });

  test('shows the events of a broken connection after it reconnects, each once', async () => {
    const before = await shown();
    await proxy.cut();
    await page.waitForSelector('body[data-state=reconnecting], body[data-state=connecting]');
    const missed = [await post('one'), await post('two'), await post('three')];
    await proxy.restore();
    await untilShown(before.length + missed.length);
    const then = await post('four');
    await untilShown(before.length + missed.length + 1);
    expect(await shown()).toEqual([...before, ...missed, then]);
    expect(await state()).toMatch(/^Live: 5 events, reconnected \d+ times?, nothing missed\.$/);
  });

  test('shows hostile text as text', async () => {
    const count = (await shown()).length;
    await post(HOSTILE);
    await untilShown(count + 1);
    expect(await page.textContent('#events li')).toContain(JSON.stringify(HOSTILE));
    expect(await page.$$eval('#events img, #events script', (found) => found.length)).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('shows why a sign-in is refused', async () => {
    await page.fill('[name=userId]', 'mallory');
    await page.click('button');
    await page.waitForSelector('body[data-state=ended]');
    expect(await state()).toMatch(/^Ended: .*banned/);
    await page.fill('[name=token]', 'no.token.this');
    await page.click('button');
    await page.waitForFunction(() => !document.querySelector('#state')?.textContent?.includes('banned'));
    await page.waitForSelector('body[data-state=ended]');
    expect(await state()).toMatch(/^Ended: /);
  });

  test('causes no browser errors and loads nothing from other hosts', async () => {
    expect(problems.filter((problem) => !/40[13]/.test(problem))).toEqual([]);
    const response = await fetch(`${gateway.url}/docs/events`);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\/|<script>|<style|style=|\son\w+=/);
  });
});
