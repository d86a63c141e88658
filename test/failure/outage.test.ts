import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';
import type { TestGateway } from '../support/gateway.ts';

/** Short, so that the tests do not wait long; longer for a MongoDB server, which may run emulated. */
const TIMEOUT_MS = process.env.MONGODB_URI ? 10_000 : 3_000;
/**
 * Delay of late answers. No heartbeat of the driver may arrive either, or `/readyz` reports that the database answers: the
 * driver gives up a heartbeat after 6 s and receives the next one after half of the delay.
 */
const LATE_MS = 60_000;
/** The maximum duration of a request: several timeouts, but less than any answer takes that is not refused. */
const BOUND_MS = LATE_MS / 2;
/** How long the gateway may take to serve again. */
const RECOVERY = { timeout: 60_000, interval: 200 };

let faulty: FaultyGateway;
let gateway: TestGateway;
beforeAll(async () => {
  faulty = await startFaultyGateway({ DATABASE_TIMEOUT_MS: String(TIMEOUT_MS) });
  gateway = faulty.gateway;
  await gateway.tokenOf('alice');
});
afterAll(() => faulty.close());
beforeEach(waitUntilServed);

const READ = '/api/v3/posts/seedlings';
const FLAG = { method: 'POST', body: { reason: 'Others' } };
const PAGE = '{ viewer { displayName } post(postId: "seedlings") { postId author { displayName } } }';
const MUTATION = 'mutation { flagPost(input: { postId: "seedlings" }) { __typename } }';

async function waitUntilServed(): Promise<void> {
  await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status, RECOVERY).toBe(200);
  await expect.poll(async () => (await gateway.rest(READ)).status, RECOVERY).toBe(200);
}

interface TimedAnswer {
  status: number;
  retryAfter: string | null;
  code: unknown;
  ms: number;
}

async function askRest(path = READ, options = {}): Promise<TimedAnswer> {
  const startedAt = performance.now();
  const { status, headers, body } = await gateway.rest(path, options);
  return { status, retryAfter: headers.get('retry-after'), code: body.code, ms: performance.now() - startedAt };
}

async function askGraphql(query: string, accept = 'application/json'): Promise<TimedAnswer> {
  const startedAt = performance.now();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${await gateway.tokenOf('alice')}` },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: Array<{ extensions: { code: string } }> };
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: errors?.[0]?.extensions.code,
    ms: performance.now() - startedAt,
  };
}

const REFUSED_REST = { status: 503, retryAfter: '2', code: 500000 };
const REFUSED_GRAPHQL = { status: 503, retryAfter: '2', code: 'UNAVAILABLE' };

/** A read and a write over every transport. */
async function expectAllRefused(): Promise<void> {
  const [read, write, page, mutation, strict, signIn, file] = await Promise.all([
    askRest(),
    askRest('/api/v3/posts/seedlings/flag', FLAG),
    askGraphql(PAGE),
    askGraphql(MUTATION),
    askGraphql(PAGE, 'application/graphql-response+json'),
    askRest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      body: { userId: 'bob', deviceId: 'd' },
      headers: { 'x-api-key': gateway.keys.API_KEY },
    }),
    askRest('/files/seedlings-1'),
  ]);
  for (const [transport, answer] of Object.entries({ read, write, signIn, file }))
    expect(answer, transport).toMatchObject(REFUSED_REST);
  for (const [transport, answer] of Object.entries({ page, mutation, strict }))
    expect(answer, transport).toMatchObject(REFUSED_GRAPHQL);
  for (const answer of [read, write, page, mutation, strict, signIn, file]) expect(answer.ms).toBeLessThan(BOUND_MS);
}

describe('while the database is unavailable', () => {
  test.each([
    ['and nothing listens', () => faulty.proxy.refuse(), () => faulty.proxy.accept()],
    ['and connections hang', async () => faulty.proxy.set('hang'), async () => faulty.proxy.set('none')],
    [
      'and answers come too late',
      async () => faulty.proxy.set({ delayMs: LATE_MS }),
      async () => faulty.proxy.set('none'),
    ],
  ])(
    '%s, every transport answers 503 in time, and serves again without a restart',
    async (_, breakIt, repair) => {
      await breakIt();
      try {
        await expectAllRefused();
        const ready = await fetch(`${gateway.url}/readyz`);
        expect(ready.status).toBe(503);
        expect(ready.headers.get('retry-after')).toBe('2');
        expect(await ready.json()).toEqual({ status: 'unavailable', reason: expect.stringContaining('database') });
        expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
      } finally {
        await repair();
      }
      await waitUntilServed();
      // Retried separately: a busy machine may be late again.
      await expect.poll(() => askRest(), RECOVERY).toMatchObject({ status: 200 });
      await expect.poll(() => askGraphql(PAGE), RECOVERY).toMatchObject({ status: 200, code: undefined });
      await expect.poll(() => askRest('/api/v3/posts/seedlings/flag', FLAG), RECOVERY).toMatchObject({ status: 200 });
    },
    240_000,
  );

  test('refuses requests immediately after a longer outage', async () => {
    await faulty.proxy.refuse();
    try {
      await expect.poll(async () => (await askRest()).ms, { timeout: 30_000 }).toBeLessThan(TIMEOUT_MS / 4);
      expect(await askRest()).toMatchObject(REFUSED_REST);
    } finally {
      await faulty.proxy.accept();
    }
  }, 120_000);
});

test('serves later requests despite a dead connection', async () => {
  const lost = faulty.proxy.swallow((name) => name === 'find');
  const hanging = Promise.all(Array.from({ length: 8 }, () => askRest()));
  await expect.poll(lost, { timeout: 30_000, interval: 10 }).toBeGreaterThan(0);
  faulty.proxy.swallow(() => false);
  await expect.poll(async () => (await askRest()).status, RECOVERY).toBe(200);
  for (const { status } of await hanging) expect([200, 503]).toContain(status);
  await expect.poll(() => askRest(), RECOVERY).toMatchObject({ status: 200 });
}, 120_000);
