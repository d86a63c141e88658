import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { preview } from 'vite';
import { freePort } from '../support/free-port.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../examples/web', import.meta.url));
const VITE = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));

export interface ExampleApp {
  url: string;
  /** Folder of the built files. */
  folder: string;
  close(): Promise<void>;
}

/** Builds the example application for a gateway and serves it from another origin, as its own server would. */
export async function serveExample(gateway: { url: string; apiKey: string }): Promise<ExampleApp> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-example-'));
  const { PATH } = process.env;
  await run(process.execPath, [VITE, 'build', ROOT, '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'], {
    env: { PATH, GATEWAY_URL: gateway.url, API_KEY: gateway.apiKey },
  });
  const server = await preview({
    root: ROOT,
    configFile: false,
    build: { outDir: folder },
    preview: { port: await freePort(), host: 'localhost' },
  });
  return {
    url: server.resolvedUrls!.local[0]!,
    folder,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface AppUser {
  page: Page;
  /** Errors of the page, apart from requests that failed while the gateway was down. */
  problems: string[];
  openChannel(name: string): Promise<void>;
  /** Texts of the messages in the open channel, oldest first, without those that are still being sent. */
  messages(): Promise<string[]>;
  /** Texts of the messages that are still being sent. */
  unsent(): Promise<string[]>;
  write(text: string): Promise<void>;
}

/** What Chromium reports of a request or handshake that a gateway did not answer, or not completely, because it was down. */
const GATEWAY_DOWN =
  /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING)|Connection closed before receiving a handshake response/;

/** Signs a user in, in a browser context of their own. */
export async function signIn(browser: Browser, app: ExampleApp, userId: string): Promise<AppUser> {
  const page = await browser.newPage({ viewport: { width: 1_100, height: 800 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning';
    if (isProblem && !GATEWAY_DOWN.test(message.text())) problems.push(message.text());
  });
  await page.goto(app.url);
  await page.getByLabel('Your user id').fill(userId);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('article').first().waitFor();
  const log = page.getByRole('log');
  return {
    page,
    problems,
    async openChannel(name) {
      await page.getByRole('button', { name: /^Chat/ }).click();
      await page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name }).click();
      await log.waitFor();
    },
    messages: () => log.locator('li.message:not(.pending) .text').allTextContents(),
    unsent: () => log.locator('li.pending .text').allTextContents(),
    async write(text) {
      await page.getByLabel('Write a message').fill(text);
      await page.keyboard.press('Enter');
    },
  };
}
