import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';
import { waitFor } from '../support/live.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const KEYS = { API_KEY: 'log-lines-api-key', SERVER_KEY: 'log-lines-server-key', TOKEN_SECRET: 't'.repeat(40) };
const [INFO, DEBUG, WARN] = [30, 20, 40];

interface Line {
  level: number;
  msg: string;
  operation?: string;
  status?: number;
  errorCode?: string;
  req?: { method: string; url: string };
  audit?: { action: string; actorId: string; subjectId: string };
  endpointId?: string;
  error?: string;
}

let program: BuiltProgram;
let folder: string;
beforeAll(async () => {
  program = await buildGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-log-'));
}, 120_000);
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a gateway. @returns its address, and the lines that it logs */
async function startLogging(env: NodeJS.ProcessEnv) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    env: {
      PATH: process.env.PATH,
      ...{ PORT: port, DATA_DIR: folder, NODE_ENV: 'test', RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: 'true' },
      ...KEYS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const texts: string[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => void texts.push(text));
  await waitFor(() => texts.some((text) => text.includes('Server listening')), 200_000);
  // The banner is no JSON.
  const lines = () => texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Line);
  return { url: `http://127.0.0.1:${port}`, lines, text: () => texts.join('\n') };
}

async function signInAsAdmin(url: string): Promise<string> {
  const post = async (path: string, headers: object, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const minted = { 'x-server-key': KEYS.SERVER_KEY };
  const authToken = await post('/api/v4/authentication/token', minted, { userId: 'admin' });
  const session = { userId: 'admin', deviceId: 'log', authToken };
  return (await post('/api/v5/sessions', { 'x-api-key': KEYS.API_KEY }, session)).accessToken;
}

async function graphql(url: string, token: string, query: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: { answer: unknown } }).data.answer;
}

const switchChat = (isOn: boolean) =>
  `mutation { answer: updateNetworkSettings(input: { chat: { enabled: ${isOn} } }) { __typename } }`;

test('logs a line for each privileged act and each failing endpoint of a webhook, but no requests by default', async () => {
  const { url, lines, text } = await startLogging({ LOG_LEVEL: 'info' });
  const token = await signInAsAdmin(url);
  expect(await graphql(url, token, switchChat(false))).toEqual({ __typename: 'UpdateNetworkSettingsPayload' });
  const target = `http://127.0.0.1:${await freePort()}/`;
  const created = `mutation { answer: createWebhookEndpoint(input: { url: "${target}", events: ["v3.post.didCreate"] }) {
    ... on CreateWebhookEndpointPayload { endpoint { endpointId } } } }`;
  const { endpoint } = (await graphql(url, token, created)) as { endpoint: { endpointId: string } };
  const posted = `mutation { answer: createPost(input: { targetType: USER, targetId: "admin", data: { text: "x" } }) {
    __typename } }`;
  expect(await graphql(url, token, posted)).toEqual({ __typename: 'CreatePostPayload' });
  const failing = () => lines().filter(({ endpointId }) => endpointId === endpoint.endpointId);
  await waitFor(() => failing().length > 0, 60_000);
  expect(failing()).toEqual([
    expect.objectContaining({ level: WARN, msg: expect.stringContaining('began to fail'), error: expect.any(String) }),
  ]);
  const acts = lines().filter(({ audit }) => audit?.action === 'updateNetworkSettings');
  expect(acts).toMatchObject([
    { level: INFO, msg: 'privileged act', audit: { actorId: 'admin', subjectId: 'default' } },
  ]);
  expect(lines().filter(({ msg }) => msg === 'request')).toEqual([]);
  expect(text()).not.toContain(token);
}, 300_000);

test.each([
  ['ACCESS_LOG=true', { LOG_LEVEL: 'info', ACCESS_LOG: 'true' }, INFO],
  ['LOG_LEVEL=debug', { LOG_LEVEL: 'debug' }, DEBUG],
])(
  'with %s logs a line for each request, without query strings and tokens',
  async (_, env, level) => {
    const { url, lines, text } = await startLogging(env);
    const token = await signInAsAdmin(url);
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${url}/api/v3/users/admin?secret=in-the-query`, { headers });
    await fetch(`${url}/api/v3/users/nobody-at-all`, { headers });
    const requests = () => lines().filter(({ msg, req }) => msg === 'request' && req?.url.startsWith('/api/v3/users/'));
    await waitFor(() => requests().length === 2);
    expect(requests()).toMatchObject([
      {
        level,
        status: 200,
        operation: 'GET /api/v3/users/:userId',
        req: { method: 'GET', url: '/api/v3/users/admin' },
      },
      { level, status: 404, req: { url: '/api/v3/users/nobody-at-all' }, errorCode: expect.any(String) },
    ]);
    for (const secret of [token, 'in-the-query', KEYS.SERVER_KEY]) expect(text().includes(secret)).toBe(false);
  },
  300_000,
);

test('logs nothing about a WebSocket upgrade that is refused because it is pipelined behind another request', async () => {
  const { url, lines } = await startLogging({ LOG_LEVEL: 'debug', ACCESS_LOG: 'true' });
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
    'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
  };
  for (let count = 0; count < 3; count += 1) {
    const connection = await rawClient({ url });
    connection.socket.resume();
    connection.write(requestText('/readyz') + requestText('/graphql', { headers }));
    await connection.closed;
  }
  await fetch(`${url}/api/v3/nowhere`);
  await waitFor(() => lines().some(({ req }) => req?.url === '/api/v3/nowhere'));
  expect(lines().filter(({ msg }) => /websocket|upgrade/i.test(msg))).toEqual([]);
});
