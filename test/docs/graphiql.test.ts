import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ PUBLIC_URL: undefined });
});
afterAll(() => gateway.close());

const get = async (path: string, url = gateway.url) => {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('the page contains no key and no inline script, and its policy allows none', async () => {
  const { headers, text } = await get('/graphql');
  expect(text).toContain('GraphiQL');
  for (const key of Object.values(gateway.keys)) expect(text).not.toContain(key);
  expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("worker-src 'self';");
});

test('everything that the page loads comes from this server', async () => {
  const { text } = await get('/graphql');
  const paths = [...text.matchAll(/<(?:script|link)[^>]+?(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  expect(paths).toEqual(expect.arrayContaining(['/graphiql/page.js', '/graphiql/graphiql.css']));
  for (const path of paths) expect([path.startsWith('/'), (await get(path)).status]).toEqual([true, 200]);
});

test.each(['none.js', '..%2fpackage.json', 'server.js', 'client.d.ts'])(
  'only modules of the WebSocket client are served beside it: not %s',
  async (name) => {
    expect((await get(`/graphiql/graphql-ws/${name}`)).status).toBe(404);
  },
);

test('the schema is read without a token and without a key', async () => {
  const body = JSON.stringify({ query: '{ __schema { queryType { name } } }' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
  expect(await answer.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
});

describe.skipIf(mayGoWithout)('GraphiQL in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens the page and collects its errors and its requests to other hosts. */
  async function open(url = gateway.url): Promise<{ page: Page; problems: string[]; answer: Locator }> {
    const context = await browser.newContext({ viewport: { width: 1_200, height: 620 } });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(`${url}/graphql`);
    await page.locator('.graphiql-execute-button').waitFor({ timeout: 60_000 });
    return { page, problems, answer: page.locator('.graphiql-response') };
  }

  async function signInAs(page: Page, userId: string): Promise<void> {
    await page.getByLabel('Sample user').selectOption(userId);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`(${userId}).`).waitFor();
  }

  /** The text of the editor of answers, which shows spaces as no-break spaces. */
  const shown = async (answer: Locator) => (await answer.textContent())?.replaceAll('\u00a0', ' ');

  async function run(page: Page, tab: string): Promise<void> {
    const button = page.locator('.graphiql-tab-button', { hasText: tab });
    // GraphiQL moves its tabs while it lays them out, and takes a press on a moving one for the start of a drag.
    await expect
      .poll(
        async () => {
          await button.click();
          return page.locator('[role="tab"][aria-selected="true"]').textContent();
        },
        { timeout: 30_000 },
      )
      .toContain(tab);
    await page.locator('.graphiql-execute-button').click();
  }

  test('a sample user signs in and runs the query, the mutation and the subscription of the tabs', async () => {
    const { page, problems, answer } = await open();
    await signInAs(page, 'alice');
    await run(page, 'Feed');
    await expect.poll(() => shown(answer), { timeout: 30_000 }).toContain('"userId": "alice"');
    await expect.poll(() => shown(answer)).toContain('"globalFeed"');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/graphiql.png` });

    await run(page, 'CreatePost');
    await expect.poll(() => shown(answer), { timeout: 30_000 }).toContain('The first seedlings are up.');
    const { body } = await gateway.rest('/api/v5/posts?targetType=community&targetId=gardeners&limit=1');
    expect(body.posts[0].data.text).toBe('The first seedlings are up.');

    const upgrade = page.waitForEvent('websocket');
    await run(page, 'Events');
    expect((await upgrade).url()).toBe(`${gateway.url.replace('http', 'ws')}/graphql`);
    // The subscription starts shortly after the connection: write until an event arrives.
    await expect
      .poll(
        async () => {
          const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Seen live' } };
          await mutations(gateway)('bob', 'createPost', input, '__typename');
          return shown(answer);
        },
        { timeout: 30_000, interval: 500 },
      )
      .toContain('Seen live');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('the schema is shown before a sign-in', async () => {
    const { page, problems } = await open();
    await page.locator('button[aria-label="Show Documentation Explorer"]').click();
    const explorer = page.locator('.graphiql-plugin');
    await expect.poll(() => explorer.textContent(), { timeout: 30_000 }).toMatch(/query.*Query.*mutation.*Mutation/s);
    await explorer.getByText('Query', { exact: true }).first().click();
    await expect.poll(() => explorer.textContent()).toContain('viewer');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('a session that ended is reported, and signing in again continues', async () => {
    const { page, answer } = await open();
    await signInAs(page, 'bob');
    await mutations(gateway)('admin', 'revokeSessions', { userId: 'bob' }, '__typename');
    await run(page, 'Feed');
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signInAs(page, 'bob');
    await run(page, 'Feed');
    await expect.poll(() => shown(answer), { timeout: 30_000 }).toContain('"userId": "bob"');
    await page.context().close();
  });

  test('a reload keeps the session; signing out ends it at the server', async () => {
    const { page } = await open();
    await signInAs(page, 'alice');
    await page.reload();
    await page.getByText('(alice).').waitFor({ timeout: 60_000 });
    const token = await page.evaluate(
      () => (JSON.parse(sessionStorage.getItem('colloquy.graphiql')!) as { accessToken: string }).accessToken,
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Not signed in.').waitFor();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query: '{ viewer { userId } }' });
    await expect
      .poll(async () => (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).status)
      .toBe(401);
    await page.context().close();
  });

  test('the sign-in box has no serious finding of axe', async () => {
    const { page } = await open();
    await page.getByText('Sign in as a user').click();
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(context: string): Promise<{ violations: object[] }> } };
      return (await axe.run('#session')).violations;
    });
    expect(violations).toEqual([]);
    await page.context().close();
  });

  test('with a key of the environment, the box asks for it, and reports a wrong key and a missing auth token', async () => {
    const own = await startTestGateway({ API_KEY: 'key-of-the-operator', SECURE_MODE: 'true', PUBLIC_URL: undefined });
    const { page, answer } = await open(own.url);
    expect(await page.getByLabel('Sample user').isVisible()).toBe(false);
    await page.getByText('Sign in as a user').click();
    await page.getByLabel('API key').fill('wrong');
    await page.getByLabel('User id').fill('alice');
    const submit = page.getByRole('button', { name: 'Sign in' });
    await submit.click();
    await page.locator('#state.refused').waitFor();
    expect(await page.locator('#state').textContent()).toMatch(/key/i);
    await page.getByLabel('API key').fill('key-of-the-operator');
    await submit.click();
    await expect.poll(() => page.locator('#state').textContent()).toMatch(/auth ?token/i);
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'key-of-the-operator',
      'x-server-key': own.keys.SERVER_KEY,
    };
    const query = `mutation { mintAuthToken(input: { userId: "alice" }) { ... on MintAuthTokenPayload { authToken } } }`;
    const minted = await fetch(`${own.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { data } = (await minted.json()) as { data: { mintAuthToken: { authToken: string } } };
    await page.getByLabel('Auth token').fill(data.mintAuthToken.authToken);
    await submit.click();
    await page.getByText('(alice).').waitFor();
    await run(page, 'CreateCommunity');
    await expect.poll(() => shown(answer), { timeout: 30_000 }).toContain('"displayName": "Created in GraphiQL"');
    await page.context().close();
    await own.close();
  });
});
