import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import { openDatabase } from '../support/two-gateways.ts';

const CLIENTS = 8;
const ROUNDS = 3;

let database: Awaited<ReturnType<typeof openDatabase>>;
let survivor: TestGateway;
let program: GatewayProgram;
beforeAll(async () => {
  database = await openDatabase();
  survivor = await startTestGateway({ MONGODB_URI: database.uri, ACCESS_TOKEN_MINUTES: '5' });
  program = await gatewayProgram(survivor);
});
afterAll(async () => {
  await program?.remove();
  await survivor?.close();
  await database?.close();
});

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

async function post(url: string, path: string, body: object): Promise<Tokens | { status: number }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': survivor.keys.API_KEY };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.ok ? ((await response.json()) as Tokens) : { status: response.status };
}

const signIn = (client: number) => post(survivor.url, '/api/v5/sessions', { userId: `tab-${client}` });
const refresh = (url: string, { refreshToken }: Tokens) => post(url, '/api/v5/sessions/refresh', { refreshToken });

test('a gateway that is killed during refreshes signs nobody out: clients repeat through another gateway', async () => {
  const clients = (await Promise.all(Array.from({ length: CLIENTS }, (_, client) => signIn(client)))) as Tokens[];
  let [answered, repeated] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const killed = await program.start();
    let isOver = false;
    const running = clients.map(async (_, client) => {
      while (!isOver) {
        const answer = await refresh(killed.url, clients[client]!).catch(() => null);
        if (answer === null) isOver = true;
        // Two concurrent repetitions, as from two tabs: both get the tokens that the killed gateway may have committed.
        const next = answer ?? (await Promise.all([1, 2].map(() => refresh(survivor.url, clients[client]!))))[0]!;
        expect(next).toHaveProperty('refreshToken');
        clients[client] = next as Tokens;
        if (answer === null) repeated += 1;
        else answered += 1;
      }
    });
    const before = answered;
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(before + CLIENTS);
    await killed.kill();
    await Promise.all(running);
  }
  expect(repeated).toBeGreaterThanOrEqual(ROUNDS);
  for (const { accessToken } of clients) {
    const { status } = await fetch(`${survivor.url}/api/v3/sessions`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(status).toBe(200);
    const record = { networkId: 'default', sessionId: decodeJwt(accessToken).jti! };
    expect(await survivor.services.store.collections.sessions.findOne(record)).toMatchObject({ revokedAt: null });
  }
  // Each round starts a process, which takes long on a busy machine.
}, 400_000);
