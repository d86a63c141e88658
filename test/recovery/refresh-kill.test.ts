import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

const KILLS = 6;
const CLIENTS = 4;
/** Answered refreshes of each client after which a round ends with a kill. */
const REFRESHES = 3;
/** After a longer time without an answer, a client has to sign in again: docs/guides/browser-sessions.md#rotation. */
const GRACE_MS = 30_000;

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

interface Client {
  userId: string;
  /** The tokens that were acknowledged last. */
  tokens: Tokens;
  /** The refresh token of the sign-in. */
  first: string;
  refreshes: number;
  /** Requests without an answer. */
  unanswered: number;
}

const env = {
  API_KEY: 'refresh-kill-api-key',
  SERVER_KEY: 'refresh-kill-server-key',
  TOKEN_SECRET: 'refresh-kill-token-secret-of-32-characters',
  ACCESS_TOKEN_MINUTES: '5',
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  SAMPLE_DATA: 'none',
  // The clients refresh faster than the limits for sign-ins allow.
  RATE_LIMITS: 'off',
};

let program: BuiltProgram;
let folder: string;
let port: number;
let gateway: SpawnedGateway;
beforeAll(async () => {
  program = await buildGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-refresh-kill-'));
  port = await freePort();
}, 120_000);
afterAll(async () => {
  await gateway?.kill();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  gateway = await spawnGateway({ file: join(program.folder, 'main.js'), env: { ...env, DATA_DIR: folder }, port });
};

interface Answer {
  status: number;
  body: Tokens;
}

/** @returns null without an answer, or with a part of one */
async function post(path: string, body: object): Promise<Answer | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': env.API_KEY },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Tokens };
  } catch {
    return null;
  }
}

const refresh = (refreshToken: string) => post('/api/v5/sessions/refresh', { refreshToken });

const statusOf = ({ accessToken }: Tokens) =>
  fetch(`http://127.0.0.1:${port}/api/v3/sessions`, { headers: { authorization: `Bearer ${accessToken}` } }).then(
    ({ status }) => status,
    () => null,
  );

async function signIn(userId: string): Promise<Client> {
  const { body } = (await post('/api/v5/sessions', { userId }))!;
  return { userId, tokens: body, first: body.refreshToken, refreshes: 0, unanswered: 0 };
}

/** Refreshes until the end, and repeats a refresh that was not answered with the token that it has. */
async function keepRefreshing(client: Client, isOver: () => boolean): Promise<void> {
  let unansweredSince = Number.POSITIVE_INFINITY;
  while (!isOver()) {
    const sentAt = Date.now();
    const answer = await refresh(client.tokens.refreshToken);
    if (answer === null || answer.status === 503) {
      client.unanswered += 1;
      unansweredSince = Math.min(unansweredSince, sentAt);
      await pause(20);
      continue;
    }
    if (answer.status === 401 && Date.now() - unansweredSince > GRACE_MS) {
      Object.assign(client, { ...(await signIn(client.userId)), refreshes: client.refreshes });
      continue;
    }
    expect([client.userId, answer.status]).toEqual([client.userId, 200]);
    expect(answer.body.refreshToken).not.toBe(client.tokens.refreshToken);
    unansweredSince = Number.POSITIVE_INFINITY;
    client.tokens = answer.body;
    client.refreshes += 1;
    expect([200, 503, null]).toContain(await statusOf(client.tokens));
  }
}

test(`clients that refresh while the gateway is killed ${KILLS} times stay signed in, and reuse is still detected`, async () => {
  await start();
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => signIn(`user-${index}`)));
  let isOver = false;
  const refreshing = Promise.all(clients.map((client) => keepRefreshing(client, () => isOver)));
  const kill = async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const before = clients.map(({ refreshes }) => refreshes);
      const hasRefreshed = () => clients.every(({ refreshes }, index) => refreshes >= before[index]! + REFRESHES);
      await vi.waitUntil(hasRefreshed, { timeout: 60_000, interval: 5 });
      // Rounds end at different moments of a refresh.
      await pause(round * 3);
      await gateway.kill();
      await start();
    }
  };
  await Promise.race([kill(), refreshing]).finally(() => {
    isOver = true;
  });
  await refreshing;

  expect(clients.reduce((sum, { unanswered }) => sum + unanswered, 0)).toBeGreaterThanOrEqual(KILLS);
  for (const { tokens, first } of clients) {
    expect(await statusOf(tokens)).toBe(200);
    const last = (await refresh(tokens.refreshToken))!;
    expect([last.status, await statusOf(last.body)]).toEqual([200, 200]);
    expect((await refresh(first))!.status).toBe(401);
    expect(await statusOf(last.body)).toBe(401);
    expect((await refresh(last.body.refreshToken))!.status).toBe(401);
  }
}, 240_000);
