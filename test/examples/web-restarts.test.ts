import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { type AppUser, type ExampleApp, serveExample, signIn } from './example-app.ts';

const RESTARTS = 20;
const CHANNEL = 'Alice Moor, Bob Hazel';
const API_KEY = 'key-of-the-example';

describe.skipIf(mayGoWithout)('the example application while its gateway is killed', () => {
  let program: BuiltProgram;
  let folder: string;
  let port: number;
  let gateway: SpawnedGateway;
  let browser: Browser;
  let app: ExampleApp;
  let alice: AppUser;
  let bob: AppUser;

  const start = async () => {
    const env = { DATA_DIR: folder, API_KEY, LOG_LEVEL: 'error' };
    gateway = await spawnGateway({ file: join(program.folder, 'main.js'), env, port });
  };

  beforeAll(async () => {
    program = await buildProgram({ main: 'src/main.ts', 'embedded-worker': 'src/embedded/worker.ts' });
    folder = await mkdtemp(join(tmpdir(), 'colloquy-example-data-'));
    port = await freePort();
    await start();
    app = await serveExample({ url: gateway.url, apiKey: API_KEY });
    browser = await startBrowser();
    alice = await signIn(browser, app, 'alice');
    bob = await signIn(browser, app, 'bob');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await gateway?.kill();
    await program?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('two users lose no message and see none twice, in one order', { timeout: 900_000 }, async () => {
    await alice.openChannel(CHANNEL);
    await bob.openChannel(CHANNEL);
    const written: string[] = [];
    const write = async (user: AppUser, text: string) => {
      written.push(text);
      await user.write(text);
    };
    for (let round = 0; round < RESTARTS; round++) {
      await write(alice, `Alice ${round}, before`);
      await write(bob, `Bob ${round}, before`);
      // In some rounds the messages above are in progress when the gateway dies, in others they are stored.
      await new Promise((resolve) => setTimeout(resolve, (round % 5) * 40));
      await gateway.kill();
      await alice.page.getByRole('status').waitFor();
      await write(alice, `Alice ${round}, offline`);
      await start();
      await write(bob, `Bob ${round}, after`);
    }
    const ownMessages = async (user: AppUser) => (await user.messages()).filter((text) => /^(Alice|Bob) \d/.test(text));
    await expect.poll(() => ownMessages(bob), { timeout: 60_000 }).toHaveLength(written.length);
    await expect.poll(() => ownMessages(alice), { timeout: 60_000 }).toHaveLength(written.length);
    expect(await ownMessages(alice)).toEqual(await ownMessages(bob));
    expect((await ownMessages(alice)).sort()).toEqual([...written].sort());
    const byAlice = written.filter((text) => text.startsWith('Alice'));
    expect((await ownMessages(bob)).filter((text) => text.startsWith('Alice'))).toEqual(byAlice);
    await alice.page.getByText('You are offline.').waitFor({ state: 'detached' });
    expect([...alice.problems, ...bob.problems]).toEqual([]);
  });

  test('a post that is written offline appears once', async () => {
    await alice.page.getByRole('button', { name: 'Feed' }).click();
    await bob.page.getByRole('button', { name: 'Feed' }).click();
    await gateway.kill();
    await alice.page.getByRole('status').waitFor();
    await alice.page.getByLabel('What is growing?').fill('Planted in the dark.');
    await alice.page.getByLabel('Where to post').selectOption({ label: 'The Gardeners' });
    await alice.page.getByRole('button', { name: 'Post' }).click();
    await start();
    for (const { page } of [alice, bob]) {
      const post = page.getByRole('article').filter({ hasText: 'Planted in the dark.' });
      await post.waitFor({ timeout: 60_000 });
      expect(await post.count()).toBe(1);
    }
  });
});
