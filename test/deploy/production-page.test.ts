import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseMetrics } from '../observe/parse-metrics.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { spawnGateway } from '../support/spawn-gateway.ts';
import { assembleImage, sizeOf } from './machine/image.ts';
import { createMachine, type Machine } from './machine/machine.ts';
import { stepsOf } from './machine/page-steps.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SITE = 'https://community.example';
/** An installation of the packages and a build on a busy machine. */
const INSTALL_MS = 300_000;
const hasNginx = existsSync('/usr/sbin/nginx');

if (!hasNginx) console.warn('nginx is not installed: a program of the test terminates TLS.');

/** The steps of docs/production.md for one machine, executed in order: each test needs the ones before it. */
describe('docs/production.md on one machine', () => {
  const text = readFileSync(join(ROOT, 'docs/production.md'), 'utf8');
  const steps = stepsOf(text);
  let machine: Machine;
  let browser: Browser | null = null;
  let page: Page;

  beforeAll(async () => {
    machine = await createMachine();
    await machine.release('v0.1.0');
    if (!mayGoWithout)
      browser = await startBrowser(`--host-resolver-rules=MAP community.example:443 127.0.0.1:${machine.ports.https}`);
  });
  afterAll(async () => {
    await browser?.close();
    await machine?.remove();
  });

  /** Executes the next block of commands, which must be under this heading. @returns what it printed */
  async function walk(heading: string): Promise<string> {
    const step = steps.shift();
    expect(step?.heading).toBe(heading);
    const printed = await machine.run(step!.commands);
    if (step!.output !== null) expect(printed.trim()).toBe(step!.output.trim());
    return printed;
  }

  const pathOf = (path: string) => join(machine.folder, path);
  const modeOf = (path: string) => (statSync(pathOf(path)).mode & 0o777).toString(8);
  const setting = (name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(pathOf('etc/colloquy/colloquy.env'), 'utf8'))![1]!;
  const get = async (path: string, ...args: string[]) =>
    machine.run(`curl -s -o /dev/null -w '%{http_code}' ${args.join(' ')} '${SITE}${path}'`);
  const graphql = async (query: string, variable = 'BEN') =>
    JSON.parse(
      await machine.run(`curl -s ${SITE}/graphql -H "Authorization: Bearer $${variable}" \\
        -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`),
    );
  const metrics = async () =>
    parseMetrics(await machine.run('curl -sf http://127.0.0.1:4000/metrics -H "Authorization: Bearer $METRICS_TOKEN"'));
  const versionOf = async () => (await metrics()).series('colloquy_build_info').map(({ labels }) => labels.version);
  const isSignedIn = async (userId: string, variable: string) =>
    expect(await graphql('{ viewer { userId } }', variable)).toEqual({ data: { viewer: { userId } } });

  test(
    'a clone is built without development dependencies',
    async () => {
      await walk('2. Get the release');
      expect(existsSync(pathOf('opt/colloquy/dist/main.js'))).toBe(true);
      expect(existsSync(pathOf('opt/colloquy/node_modules/vitest'))).toBe(false);
    },
    INSTALL_MS,
  );

  test('the files of the container image start and are healthy, within the size that the page names', async () => {
    const image = assembleImage(pathOf('opt/colloquy'), pathOf('image'));
    const env = { PATH: process.env.PATH, ...image.env, HOST: '127.0.0.1', DATA_DIR: pathOf('image-data') };
    const secrets = {
      API_KEY: 'image-api-key',
      SERVER_KEY: 's'.repeat(32),
      TOKEN_SECRET: 't'.repeat(32),
      SECURE_MODE: 'true',
    };
    const [program, ...args] = image.healthCheck as [string, ...string[]];
    expect([program, image.command[0]]).toEqual(['node', 'node']);
    const file = join(image.folder, image.command[1]!);
    const gateway = await spawnGateway({ file, cwd: image.folder, env: { ...env, ...secrets } });
    const isHealthy = () =>
      spawnSync(process.execPath, args, { env: { ...env, PORT: String(gateway.port) } }).status === 0;
    expect(isHealthy()).toBe(true);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toEqual([0, null]);
    expect(isHealthy()).toBe(false);
    const size = sizeOf(image);
    const [, unpacked, compressed] = /adds\s+(\d+)\s+MB\s+\((\d+)\s+MB\s+compressed\)/.exec(text)!;
    expect(Math.abs(size.unpacked / 1e6 - Number(unpacked))).toBeLessThan(5);
    expect(Math.abs(size.compressed / 1e6 - Number(compressed))).toBeLessThan(3);
  });

  test('the secrets are readable by their owner only', async () => {
    await walk('3. Create the secrets');
    expect(modeOf('root/colloquy-secrets')).toBe('700');
  });

  test('the service starts in production mode, and its data and secrets are protected', async () => {
    await walk('4. Start');
    expect([modeOf('etc/colloquy/colloquy.env'), modeOf('var/lib/colloquy')]).toEqual(['600', '700']);
    // No sample network, and no documentation that production hides.
    expect(await machine.run(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:4000/docs`)).toBe('404');
  });

  test('TLS is terminated by the proxy of the page, with a certificate that its authority issued', async () => {
    await walk('5. Serve over TLS');
    expect(await walk('5. Serve over TLS')).toBe('{"status":"ready"}');
    expect(modeOf('etc/nginx/tls/privkey.pem')).toBe('600');
    const redirect = await machine.run(
      `curl -s -o /dev/null -w '%{http_code} %{redirect_url}' http://community.example/admin`,
    );
    expect(redirect).toBe(`308 ${SITE}/admin`);
    if (!hasNginx) return;
    expect(await machine.run(`curl -sI ${SITE}/readyz`)).toMatch(
      /^HTTP\/2 200[\s\S]*strict-transport-security: max-age/i,
    );
  });

  test('WebSockets pass the proxy', async () => {
    const socket = new WebSocket(`${SITE}/graphql`, 'graphql-transport-ws', {
      ca: readFileSync(pathOf('authority.pem')),
      createConnection: () =>
        connect({
          port: machine.ports.https,
          servername: 'community.example',
          ca: readFileSync(pathOf('authority.pem')),
        }),
    });
    const message = new Promise((resolve, reject) => {
      socket.once('open', () => socket.send(JSON.stringify({ type: 'ping' })));
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
      socket.once('error', reject);
    });
    expect(await message).toMatchObject({ type: 'pong' });
    socket.close();
  });

  let link: string;
  test('one command makes an administrator, another prints a login link', async () => {
    const [granted, printed] = (await walk('6. Create the first administrator')).trim().split('\n');
    expect(granted).toBe('ada: global-admin.');
    expect(printed).toMatch(new RegExp(`^${SITE}/admin/login#[\\w.-]{20,}$`));
    link = printed!;
  });

  test('users sign in with tokens of the server only, write and flag', async () => {
    await walk('7. Sign in users');
    await isSignedIn('ben', 'BEN');
    await isSignedIn('cleo', 'CLEO');
    const answer = await machine.run(
      `curl -s ${SITE}/api/v5/sessions -H 'X-Api-Key: ${setting('API_KEY')}' -H 'Content-Type: application/json' \\
        -d '{"userId":"ben","deviceId":"other"}'`,
    );
    expect(JSON.parse(answer)).toMatchObject({ status: 'error' });
  });

  test.skipIf(mayGoWithout)(
    'the link opens the console, in which the flagged post is deleted, and audited',
    async () => {
      page = await browser!.newPage({ ignoreHTTPSErrors: true });
      await page.goto(link);
      await page.getByRole('navigation').getByRole('link', { name: 'Moderation' }).click();
      await page.locator('.queue-item', { hasText: 'Buy followers here' }).waitFor();
      await page.keyboard.press('x');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.locator('.queue-item').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.locator('#main').getByText('resolveModerationItems').first().waitFor();
      expect(await page.locator('#main').textContent()).toContain('ada');
    },
  );

  const postsOfBen = async () => {
    const listed = await machine.run(
      `curl -sf '${SITE}/api/v4/posts?targetType=user&targetId=ben' -H "Authorization: Bearer $BEN"`,
    );
    return JSON.parse(listed).posts.map(({ data }: { data: { text: string } }) => data.text);
  };
  const write = (text: string) =>
    machine.run(
      `post /api/v4/posts "Authorization: Bearer $BEN" '${JSON.stringify({ targetType: 'user', targetId: 'ben', data: { text } })}'`,
    );

  test('a backup is restored: what was written later is gone, sessions continue', async () => {
    await write('Before the backup');
    expect(await walk('8. Back up and restore')).toMatch(/No fault\.$/m);
    await write('After the backup');
    expect(await postsOfBen()).toContain('After the backup');
    await walk('8. Back up and restore');
    const posts = await postsOfBen();
    expect(posts).toContain('Before the backup');
    expect(posts).not.toContain('After the backup');
    await write('After the restore');
  });

  test('a scrape is in the text format of Prometheus, and needs the token', async () => {
    const scraped = parseMetrics(await walk('9. Monitor'));
    expect(scraped.names.size).toBeGreaterThan(20);
    expect(scraped.series('colloquy_build_info').map(({ labels }) => labels.version)).toEqual(['0.1.0']);
    expect(await get('/metrics')).toMatch(/^40[134]$/);
  });

  test('keys are rotated without a sign-out', async () => {
    const oldKey = setting('SERVER_KEY');
    await walk('10. Rotate keys');
    const oldSecret = setting('TOKEN_SECRET');
    const { commands } = steps[0]!;
    await walk('10. Rotate keys');
    // A second rotation keeps the tokens from before the first one.
    await machine.run(commands);
    expect(setting('TOKEN_SECRET_ACCEPTED').split(',').length).toBe(2);
    expect(setting('SERVER_KEY')).not.toBe(oldKey);
    expect(setting('TOKEN_SECRET')).not.toBe(oldSecret);
    for (const [userId, variable] of [
      ['ben', 'BEN'],
      ['cleo', 'CLEO'],
    ] as const)
      await isSignedIn(userId, variable);
    if (page) {
      await page.reload();
      await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).waitFor();
    }
    // Both server keys mint tokens, and new tokens are signed with the new secret.
    for (const key of [oldKey, setting('SERVER_KEY')]) {
      await machine.run(`post /api/v4/authentication/token "X-Server-Key: ${key}" '{"userId":"ben"}'`);
    }
    await machine.run('OLD_TOKEN=$BEN; BEN=$(sign_in ben)');
    const kinds = await machine.run(`for token in $OLD_TOKEN $BEN; do
      node -p 'JSON.parse(Buffer.from(process.argv[1].split(".")[0], "base64url")).kid' $token; done`);
    expect(new Set(kinds.trim().split('\n')).size).toBe(2);
  });

  test(
    'the next release serves the same data and sessions',
    async () => {
      const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      await machine.release('v0.2.0', { 'package.json': JSON.stringify({ ...manifest, version: '0.2.0' }) });
      await walk('11. Upgrade');
      expect(steps.map(({ commands }) => commands)).toEqual([]);
      expect(await versionOf()).toEqual(['0.2.0']);
      await isSignedIn('cleo', 'CLEO');
      await isSignedIn('ben', 'OLD_TOKEN');
      expect(await postsOfBen()).toContain('After the restore');
    },
    INSTALL_MS,
  );
});
