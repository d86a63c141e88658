import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';

const KEYS = { API_KEY: 'admin-cli-api-key', SERVER_KEY: 'admin-cli-server-key', TOKEN_SECRET: 't'.repeat(40) };
const PRODUCTION = { NODE_ENV: 'production', SECURE_MODE: 'true', PUBLIC_URL: 'https://community.example', ...KEYS };

let program: BuiltProgram;
let folder: string;
beforeAll(async () => {
  program = await buildProgram({ admin: 'src/admin-cli/main.ts', 'embedded-worker': 'src/embedded/worker.ts' });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-admin-'));
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

const admin = (...args: string[]) => adminWith({ DATA_DIR: folder, ...PRODUCTION }, ...args);

async function adminWith(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(program.folder, 'admin.js'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

interface Answer {
  answer?: { __typename?: string; session?: { accessToken: string } };
  networkSettings?: object;
  networkKeys?: Array<{ name: string }>;
  auditLog?: { edges: Array<{ node: { action: string; actorKind: string; transport: string } }> };
}

async function call({ url }: Started, query: string, headers: Record<string, string>) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: Answer }).data;
}

test('the first administrator of an installation signs in with a link, and keys are rotated while the gateway runs', async () => {
  // Before the first start, on an empty folder.
  expect(await admin('grant', 'ada')).toMatchObject({ code: 0, out: 'ada: global-admin.\n' });
  const stopped = await admin('settings', 'set', 'createsUnknownUsers', 'false');
  expect(stopped).toMatchObject({ code: 0, out: 'createsUnknownUsers = false\n' });
  const gateway = await start(readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder, ...PRODUCTION }));
  try {
    await gateway.prepared;
    const { out } = await admin('login-link', 'ada', '--minutes', '5');
    const token = /^https:\/\/community\.example\/admin\/login#(\S+)\n$/.exec(out)![1];
    const consumed = await call(
      gateway,
      `mutation { answer: consumeLoginLink(input: { token: "${token}" }) {
        ... on ConsumeLoginLinkPayload { session { accessToken } } } }`,
      {},
    );
    const { accessToken } = consumed.answer!.session!;
    const asAda = { authorization: `Bearer ${accessToken}` };
    expect(await call(gateway, '{ networkKeys { name } }', asAda)).toEqual({
      networkKeys: [{ name: 'API_KEY' }, { name: 'SERVER_KEY' }],
    });

    const rotated = await admin('rotate', 'server', '--overlap-hours', '1');
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^server_[0-9a-f]{48}\n$/) });
    const mint = 'mutation { answer: mintAuthToken(input: { userId: "bob" }) { __typename } }';
    for (const key of [KEYS.SERVER_KEY, rotated.out.trim()]) {
      const minted = await call(gateway, mint, { 'x-server-key': key });
      expect(minted).toEqual({ answer: { __typename: 'MintAuthTokenPayload' } });
    }

    expect(await call(gateway, '{ networkSettings { createsUnknownUsers } }', asAda)).toEqual({
      networkSettings: { createsUnknownUsers: false },
    });
    expect(await admin('settings', 'set', 'createsUnknownUsers', 'true')).toMatchObject({ code: 0 });
    expect(await call(gateway, '{ networkSettings { createsUnknownUsers } }', asAda)).toEqual({
      networkSettings: { createsUnknownUsers: true },
    });

    const { auditLog } = await call(gateway, '{ auditLog { edges { node { action actorKind transport } } } }', asAda);
    const set = 'updateNetworkSettings';
    const acts = [set, 'rotateKey', 'createLoginLink', set, 'assignNetworkRoles'];
    const byOperator = auditLog!.edges.map(({ node }) => node).filter(({ actorKind }) => actorKind === 'OPERATOR');
    expect(byOperator).toEqual(acts.map((action) => ({ action, actorKind: 'OPERATOR', transport: 'COMMAND' })));

    expect(await admin('revoke', 'ada')).toMatchObject({ code: 0, out: 'ada: no network-wide role.\n' });
    expect(await call(gateway, '{ networkKeys { name } }', asAda)).toBeNull();
  } finally {
    await gateway.close();
  }
}, 300_000);

test('a rotated key that the data folder contains is replaced there, so that the next start uses the new one', async () => {
  const DATA_DIR = join(folder, 'development');
  const path = join(DATA_DIR, 'keys.json');
  const keys = async () => JSON.parse(await readFile(path, 'utf8')) as typeof KEYS;
  const startAgain = () => start(readConfig({ PORT: '0', LOG_LEVEL: 'silent', SAMPLE_DATA: 'none', DATA_DIR }));
  await (await startAgain()).close();
  const before = await keys();

  const [api, server] = [
    await adminWith({ DATA_DIR }, 'rotate', 'api', '--overlap-hours', '0'),
    await adminWith({ DATA_DIR }, 'rotate', 'server', '--overlap-hours', '0'),
  ];
  expect([api.code, server.code, api.err]).toEqual([0, 0, expect.stringContaining(path)]);
  const replaced = { ...before, API_KEY: api.out.trim(), SERVER_KEY: server.out.trim() };
  expect([await keys(), (await stat(path)).mode & 0o777]).toEqual([replaced, 0o600]);

  const gateway = await startAgain();
  try {
    expect((await gateway.prepared).refusedKeys).toEqual([]);
    const mint = 'mutation { answer: mintAuthToken(input: { userId: "bob" }) { __typename } }';
    const mintWith = async (key: string) => (await call(gateway, mint, { 'x-server-key': key })).answer?.__typename;
    expect(await mintWith(replaced.SERVER_KEY)).toBe('MintAuthTokenPayload');
    expect(await mintWith(before.SERVER_KEY)).toBe('OperationError');
  } finally {
    await gateway.close();
  }

  const given = await adminWith({ DATA_DIR, API_KEY: replaced.API_KEY }, 'rotate', 'api');
  expect([given.code, await keys()]).toEqual([0, replaced]);
}, 300_000);

test('reports what cannot be done, and invalid arguments', async () => {
  expect(await admin('revoke', 'nobody')).toMatchObject({ code: 1, err: 'User not found.\n' });
  expect(await admin('grant', 'ada', 'no-such-role')).toMatchObject({ code: 1, err: 'Role not found.\n' });
  expect(await admin('login-link', 'nobody')).toMatchObject({ code: 1, err: 'User not found.\n' });
  expect(await admin('rotate', 'no-such-key')).toMatchObject({ code: 1, err: 'Key not found.\n' });
  expect(await admin('login-link', 'ada', '--minutes', '0')).toMatchObject({ code: 2 });
  for (const hours of ['', ' ', '1.5', '1e3', 'one']) {
    const refused = { code: 2, err: expect.stringContaining('--overlap-hours: a whole number.') };
    expect(await admin('rotate', 'api', '--overlap-hours', hours)).toMatchObject(refused);
  }
  expect(await admin('frobnicate')).toMatchObject({ code: 2 });
}, 300_000);
