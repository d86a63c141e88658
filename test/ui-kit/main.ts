import { appendFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { startGateway } from '../clients/gateway.ts';
import { messageOf } from '../clients/live.ts';
import { RestUser } from '../clients/rest-user.ts';
import { browserPath, mayGoWithout, startBrowser } from '../support/browser.ts';
import { buildGateway } from '../support/build-program.ts';
import { serveUiKit } from './bundle.ts';
import { walk } from './walk.ts';

/**
 * Walks the screens of the React UI kit in Chromium against a fresh gateway. Fails for a screen that fails without being
 * listed in `expected-failures.json`, and for a listed one that passes. `--shrink` removes listed screens that pass;
 * `--pictures FOLDER` takes a picture of each screen that fails, `--traffic FILE` records what the page sends and receives.
 */
const EXPECTED = join(import.meta.dirname, 'expected-failures.json');
const EXPECTED_PATIENCE_MS = 3_000;
/** A page has no requests for this long before the next screen starts. */
const QUIET_MS = 200;
const SETTLE_LIMIT_MS = 5_000;

const { values } = parseArgs({
  options: {
    shrink: { type: 'boolean' },
    pictures: { type: 'string' },
    traffic: { type: 'string' },
    patience: { type: 'string', default: '15000' },
  },
});
if (browserPath === null && mayGoWithout) {
  console.log('Chromium is not installed: the UI kit is not tested.');
  process.exit(0);
}

const expected: string[] = JSON.parse(await readFile(EXPECTED, 'utf8'));
interface FailedRequest {
  method: string;
  path: string;
  /** Status of the response, or why there is none. */
  reason: string | number;
}

const results = new Map<string, string | null>();
let failedRequests: FailedRequest[] = [];
/** Errors that the page threw. They explain a failure, and are none by themselves: the kit throws some against any server. */
const pageErrors: string[] = [];
/** Requests to the gateway without a response. */
const pending = new Set<Request>();
let current: Page | null = null;

const program = await buildGateway();
const gateway = await startGateway(program);
const site = await serveUiKit();
const browser = await startBrowser();
const second = await RestUser.login(gateway.url, gateway.apiKey, 'ben');
try {
  await walk({ browser, site: site.url, gateway, second, screen, watch });
} finally {
  await browser.close();
  await site.close();
  await gateway.close();
  await program.remove();
}
compareWithExpected();

async function screen(title: string, run: () => Promise<unknown>): Promise<void> {
  current?.setDefaultTimeout(expected.includes(title) ? EXPECTED_PATIENCE_MS : Number(values.patience));
  if (values.traffic) appendFileSync(values.traffic, `── ${title}\n`);
  failedRequests = [];
  pageErrors.length = 0;
  const error = await run().then(() => null, messageOf);
  // Requests that the screen has started belong to it.
  await settle();
  const failed: string[] = [];
  for (const request of failedRequests) {
    if (!(await isFaultOfKit(request))) failed.push(`${request.method} ${request.path} ${request.reason}`);
  }
  const failure = error ?? (failed.length > 0 ? 'a request failed' : null);
  const details = [...new Set([...failed, ...pageErrors])].join(', ');
  results.set(title, failure);
  console.log(failure === null ? `✓ ${title}` : `✗ ${title} — ${failure}${details && `; ${details}`}`);
  if (failure !== null && values.pictures && current && !current.isClosed()) {
    await current.screenshot({ path: join(values.pictures, `${title.replaceAll(/\W+/g, '-')}.png`) });
  }
}

/** Waits until all requests of the page are answered and no other one follows. */
async function settle(): Promise<void> {
  const end = Date.now() + SETTLE_LIMIT_MS;
  let quietSince = Date.now();
  while (Date.now() - quietSince < QUIET_MS && Date.now() < end) {
    await sleep(20);
    if (pending.size > 0) quietSince = Date.now();
  }
}

/** Collects failed requests, and errors that the page throws. */
function watch(page: Page): void {
  current = page;
  const isOurs = (request: Request) => request.url().startsWith(gateway.url);
  const report = (request: Request, reason: string | number) =>
    failedRequests.push({ method: request.method(), path: new URL(request.url()).pathname, reason });
  page.on('request', (request) => {
    if (isOurs(request)) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('response', (response) => {
    const request = response.request();
    if (isOurs(request) && response.status() >= 400) report(request, response.status());
  });
  page.on('requestfailed', (request) => {
    pending.delete(request);
    const reason = request.failure()?.errorText ?? 'failed';
    if (isOurs(request) && reason !== 'net::ERR_ABORTED') report(request, reason);
  });
  if (values.traffic) record(page, values.traffic);
  page.on('websocket', (socket) =>
    socket.on('socketerror', (reason) =>
      failedRequests.push({ method: 'GET', path: new URL(socket.url()).pathname, reason }),
    ),
  );
  page.on('close', () => pending.clear());
  page.on('pageerror', (error) => {
    pageErrors.push(`error in the page: ${error.message.split('\n')[0]}`);
  });
}

/** Appends each screen, response, packet of a WebSocket and line of the console to a file. */
function record(page: Page, file: string): void {
  const write = (...parts: unknown[]) => appendFileSync(file, `${parts.join(' ')}\n`);
  page.on('response', async (response) => {
    if (!response.url().startsWith(gateway.url)) return;
    const request = response.request();
    const body = await response.text().catch(() => '');
    write(response.status(), request.method(), decodeURIComponent(response.url()), request.postData() ?? '', '→', body);
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => write('received', printable(payload)));
    socket.on('framesent', ({ payload }) => write('sent', printable(payload)));
  });
  page.on('console', (message) => write('console', message.text()));
  page.on('pageerror', (error) => write('error', error.stack));
}

function printable(payload: string | Buffer): string {
  return payload.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.');
}

/**
 * Whether a request failed on every server: the kit does not compare the type of a target, and requests the user with
 * the id of a community, and the community with the id of a user.
 */
async function isFaultOfKit({ method, path, reason }: FailedRequest): Promise<boolean> {
  const [, kind, id] = /^\/api\/v3\/(users|communities)\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'GET' || reason !== 404 || kind === undefined) return false;
  const other = `/api/v3/${kind === 'users' ? 'communities' : 'users'}/${id}`;
  return second.call(other).then(
    () => true,
    () => false,
  );
}

function compareWithExpected(): void {
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
