import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { startGateway } from '../clients/gateway.ts';
import { messageOf } from '../clients/live.ts';
import { SecondUser } from '../clients/second-user.ts';
import { browserPath, mayGoWithout, startBrowser } from '../support/browser.ts';
import { buildProgram } from '../support/build-program.ts';
import { serveUiKit } from './bundle.ts';
import { walk } from './walk.ts';

/**
 * Walks the screens of the React UI kit in Chromium against a fresh gateway. Fails for a screen that fails without being
 * listed in `expected-failures.json`, and for a listed one that passes. `--shrink` removes listed screens that pass;
 * `--pictures FOLDER` takes a picture of each screen that fails.
 */
const EXPECTED = join(import.meta.dirname, 'expected-failures.json');
const EXPECTED_PATIENCE_MS = 3_000;
const SETTLE_MS = 700;

const { values } = parseArgs({
  options: {
    shrink: { type: 'boolean' },
    pictures: { type: 'string' },
    patience: { type: 'string', default: '15000' },
  },
});
if (browserPath === null && mayGoWithout) {
  console.log('Chromium is not installed: the UI kit is not tested.');
  process.exit(0);
}

const expected: string[] = JSON.parse(await readFile(EXPECTED, 'utf8'));
const results = new Map<string, string | null>();
const failedRequests: string[] = [];
/** Errors that the page threw. They explain a failure, and are none by themselves: the kit throws some against any server. */
const pageErrors: string[] = [];
let current: Page | null = null;

const program = await buildProgram({ main: 'src/main.ts', 'embedded-worker': 'src/embedded/worker.ts' });
const gateway = await startGateway(program);
const site = await serveUiKit();
const browser = await startBrowser();
try {
  const second = await SecondUser.login(gateway.url, gateway.apiKey, 'ben');
  await walk({ browser, site: site.url, gateway, second, screen, watch });
} finally {
  await browser.close();
  await site.close();
  await gateway.close();
  await program.remove();
}
judge();

async function screen(title: string, run: () => Promise<unknown>): Promise<void> {
  current?.setDefaultTimeout(expected.includes(title) ? EXPECTED_PATIENCE_MS : Number(values.patience));
  failedRequests.length = 0;
  pageErrors.length = 0;
  const error = await run().then(() => null, messageOf);
  // Requests that the screen has started belong to it.
  await current?.waitForTimeout(SETTLE_MS);
  const failure = error ?? (failedRequests.length > 0 ? 'a request failed' : null);
  const details = [...new Set([...failedRequests, ...pageErrors])].join(', ');
  results.set(title, failure);
  console.log(failure === null ? `✓ ${title}` : `✗ ${title} — ${failure}${details && `; ${details}`}`);
  if (failure !== null && values.pictures && current && !current.isClosed()) {
    await current.screenshot({ path: join(values.pictures, `${title.replaceAll(/\W+/g, '-')}.png`) });
  }
}

/** Collects responses with an error, and errors that the page throws. */
function watch(page: Page): void {
  current = page;
  page.on('response', (response) => {
    if (response.status() < 400 || !response.url().startsWith(gateway.url)) return;
    // The kit asks for the community of every post, also of one in the feed of a user.
    if (response.status() === 404 && /\/communities\/(ann|ben)$/.test(response.url())) return;
    failedRequests.push(`${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`);
  });
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {};
    if (!request.url().startsWith(gateway.url) || errorText === 'net::ERR_ABORTED') return;
    failedRequests.push(`${request.method()} ${new URL(request.url()).pathname} ${errorText}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`error in the page: ${error.message.split('\n')[0]}`));
}

function judge(): void {
  const failed = [...results].filter(([, error]) => error !== null).map(([title]) => title);
  const problems = [
    ...failed.filter((title) => !expected.includes(title)).map((title) => `${title}: failed`),
    ...expected
      .filter((title) => results.get(title) === null)
      .map((title) => `${title}: passes, remove it from the list`),
    ...expected
      .filter((title) => !results.has(title))
      .map((title) => `${title}: is listed, but there is no such screen`),
  ];
  for (const problem of problems) console.log(problem);
  console.log(`${results.size - failed.length} of ${results.size} screens`);
  if (values.shrink)
    void writeFile(
      EXPECTED,
      `${JSON.stringify(
        expected.filter((title) => failed.includes(title)),
        null,
        2,
      )}\n`,
    );
  process.exitCode = problems.length > 0 && !values.shrink ? 1 : 0;
}
