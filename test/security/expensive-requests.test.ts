import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdmission } from '../../src/limits/admission.ts';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { rawSocket } from '../support/raw-socket.ts';

const LONG_MS = 60_000;

describe('the slots of expensive requests', () => {
  test('are granted in the order in which requests wait for them', async () => {
    const admission = createAdmission({ slots: 1, maxWaitMs: LONG_MS });
    const [first, second, third] = [admission(), admission(), admission()];
    const order: string[] = [];
    expect(first.acquire()).toBeUndefined();
    const waiting = [
      second.acquire()?.then(() => order.push('second')),
      third.acquire()?.then(() => order.push('third')),
    ];
    await Promise.resolve();
    expect(order).toEqual([]);
    first.close();
    await waiting[0];
    expect(order).toEqual(['second']);
    second.close();
    await waiting[1];
    expect(order).toEqual(['second', 'third']);
  });

  test('are refused when a request has waited for the maximum time', async () => {
    const admission = createAdmission({ slots: 1, maxWaitMs: 20 });
    const [first, second, third] = [admission(), admission(), admission()];
    first.acquire();
    await expect(second.acquire()).rejects.toMatchObject({ name: 'UnavailableError', reason: 'overloaded' });
    first.close();
    expect(third.acquire()).toBeUndefined();
  });

  test('are released when a request ends while it waits, and not acquired by reads that outlast it', async () => {
    const admission = createAdmission({ slots: 1, maxWaitMs: LONG_MS });
    const [first, second, third] = [admission(), admission(), admission()];
    first.acquire();
    const waited = second.acquire();
    second.close();
    first.close();
    await waited;
    expect(second.isHeld).toBe(false);
    expect(first.acquire()).toBeUndefined();
    expect(first.isHeld).toBe(false);
    expect(third.acquire()).toBeUndefined();
    expect(third.isHeld).toBe(true);
  });
});

describe('a request that reads a large page', () => {
  test('keeps its slot only when it has read many bytes', async () => {
    const admission = createAdmission({ slots: 1, maxWaitMs: LONG_MS });
    const readPage = async (bytes: number) => {
      const budget = createReadBudget();
      const slot = admission();
      budget.slot = slot;
      let isHeldDuringRead = false;
      await budget.readInOrder(async () => {
        isHeldDuringRead = slot.isHeld;
        budget.charge(bytes);
      });
      return { isHeldDuringRead, isHeldAfterwards: slot.isHeld };
    };
    expect(await readPage(1_000)).toEqual({ isHeldDuringRead: true, isHeldAfterwards: false });
    expect(await readPage(OPERATION_LIMITS.expensiveBytes)).toEqual({ isHeldDuringRead: true, isHeldAfterwards: true });
  });
});

describe('a gateway without a free slot', () => {
  const PAGE = '{ users(first: 100) { edges { node { userId } } } }';
  const COSTLY = `{ usersByIds(userIds: ["alice", "bob"]) { posts(first: 50) { edges { node { author { posts(first: 50) { edges { node { postId } } } } } } } } }`;
  const { expensive } = OPERATION_LIMITS;
  let gateway: TestGateway;
  beforeAll(async () => {
    Object.assign(OPERATION_LIMITS, { expensive: 0 });
    gateway = await startTestGateway({ DATABASE_TIMEOUT_MS: '2000' });
  });
  afterAll(async () => {
    Object.assign(OPERATION_LIMITS, { expensive });
    await gateway.close();
  });

  const authorized = async () => ({ authorization: `Bearer ${await gateway.tokenOf('alice')}` });
  const overloaded = { code: 'UNAVAILABLE' };
  const message = 'Too many expensive requests are in progress.';

  test.each([
    ['a large page', PAGE],
    ['high cost', COSTLY],
  ])('answers 503 with Retry-After to an operation with %s', async (_, query) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await authorized()) },
      body: JSON.stringify({ query }),
    });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(((await response.json()) as { errors: unknown[] }).errors).toMatchObject([
      { message, extensions: overloaded },
    ]);
  });

  test('answers 503 with Retry-After to a REST request for a large page', async () => {
    const response = await fetch(`${gateway.url}/api/v3/users?options[limit]=100`, { headers: await authorized() });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ status: 'error', message });
  });

  test('answers UNAVAILABLE on a WebSocket', async () => {
    const socket = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('alice'));
    socket.send({ id: 'one', type: 'subscribe', payload: { query: PAGE } });
    const { payload } = await socket.message(({ id }) => id === 'one');
    socket.close();
    expect(JSON.stringify(payload)).toContain(message);
  });

  test('stays ready and serves other requests', async () => {
    const { data } = await gateway.graphql('{ users(first: 5) { edges { node { userId } } } }');
    expect(data).not.toBeNull();
    const rest = await fetch(`${gateway.url}/api/v3/users?options[limit]=5`, { headers: await authorized() });
    expect(rest.status).toBe(200);
    expect(await (await fetch(`${gateway.url}/readyz`)).json()).toEqual({ status: 'ready' });
  });
});
