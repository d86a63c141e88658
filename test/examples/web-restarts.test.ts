import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { type AppUser, type ExampleApp, serveExample, signIn } from './example-app.ts';

const RESTARTS = 20;
const CHANNEL = 'Alice Moor, Bob Hazel';
const API_KEY = 'key-of-the-example';

/** Differences between the messages on display and the written ones. */
interface Differences {
  unsent: string[];
  missing: string[];
  doubled: string[];
  /** Messages that are shown before an earlier one of their author. */
  early: string[];
}

const NONE: Differences = { unsent: [], missing: [], doubled: [], early: [] };

/** Messages of this test, without those of the sample network. */
const messagesOf = async (user: AppUser) => (await user.messages()).filter((text) => /^(Alice|Bob) \d/.test(text));

async function differences(user: AppUser, written: readonly string[]): Promise<Differences> {
  const shown = await messagesOf(user);
  const authorOf = (text: string) => text.split(' ')[0];
  const follows = (text: string, next: string) =>
    authorOf(next) === authorOf(text) && written.indexOf(next) < written.indexOf(text);
  return {
    unsent: await user.unsent(),
    missing: written.filter((text) => !shown.includes(text)),
    doubled: shown.filter((text, index) => shown.indexOf(text) !== index),
    early: shown.filter((text, index) => shown.slice(index + 1).some((next) => follows(text, next))),
  };
}

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
    program = await buildGateway();
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
    const users = { alice, bob };
    // Reconnects wait up to 30 s after a series of failed attempts.
    for (const user of Object.values(users))
      await user.page.getByRole('status').waitFor({ state: 'detached', timeout: 60_000 });
    for (const [name, user] of Object.entries(users))
      await expect.poll(() => differences(user, written), { timeout: 60_000, message: name }).toEqual(NONE);
    expect(await messagesOf(alice)).toEqual(await messagesOf(bob));
    expect({ alice: alice.problems, bob: bob.problems }).toEqual({ alice: [], bob: [] });
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

  test('a channel that is opened offline shows its messages when the connection is back', async () => {
    await alice.page.reload();
    await alice.page.getByRole('article').first().waitFor();
    await gateway.kill();
    await alice.openChannel(CHANNEL);
    await alice.write('Opened offline');
    await start();
    const count = async () => (await alice.messages()).filter((text) => text === 'Opened offline').length;
    await expect.poll(count, { timeout: 60_000 }).toBe(1);
  });
});
