import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAnswerCache } from '../../src/answers/answer-cache.ts';
import type { Context, Viewer } from '../../src/context.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { cacheEvictions } from '../../src/observe/metrics/definitions.ts';

const viewer: Viewer = {
  networkId: 'network',
  userType: 'signed-in',
  userId: 'alice',
  userInternalId: '0'.repeat(24),
  sessionId: 'session',
  sessionInternalId: '1'.repeat(24),
  roles: [],
  permissions: new Set(),
  hasBlocks: false,
  expiresAt: new Date(4_000_000_000_000),
};

const clock = { now: new Date(1_000) };

/** A context with one value, the settings of the network. */
function newContext(settings: { value: string }, of: Partial<Viewer> = {}): Context {
  const networkCache = { settingsOf: async () => Object.freeze({ ...settings }) };
  const context = { viewer: { ...viewer, ...of }, reads: createReadBudget(), now: () => clock.now };
  return {
    ...context,
    hasPassed: (time: Date) => time <= clock.now,
    store: { networkCache },
  } as unknown as Context;
}

/** Answers with the settings; counts executions. */
function newOperation(work: (context: Context) => unknown = () => undefined) {
  const operation = {
    executions: 0,
    async execute(context: Context) {
      operation.executions += 1;
      work(context);
      const settings = await context.store.networkCache.settingsOf('network');
      return { text: JSON.stringify(settings), isKeepable: true };
    },
  };
  return operation;
}

/** Ten thousand characters that can hardly be compressed. */
const randomText = (): string => randomBytes(7_500).toString('base64');

type Cache = ReturnType<typeof createAnswerCache>;
type Operation = ReturnType<typeof newOperation>;

async function repeat(cache: Cache, { execute }: Operation, context: Context, times = 4): Promise<string[]> {
  const texts: string[] = [];
  for (let round = 0; round < times; round += 1)
    texts.push(String((await cache.answer({ key: 'query', context, execute })).text));
  return texts;
}

test('executes the first two of equal requests', async () => {
  const operation = newOperation();
  const texts = await repeat(createAnswerCache({ maxBytes: 100_000 }), operation, newContext({ value: 'a' }));
  expect(new Set(texts)).toEqual(new Set(['{"value":"a"}']));
  expect(operation.executions).toBe(2);
});

test('executes a request again when a value that it read has changed, and drops its answer', async () => {
  const cache = createAnswerCache({ maxBytes: 100_000 });
  const operation = newOperation();
  await repeat(cache, operation, newContext({ value: 'a' }));
  expect(await repeat(cache, operation, newContext({ value: 'b' }), 1)).toEqual(['{"value":"b"}']);
  expect(operation.executions).toBe(3);
  expect(cache.stats.outdated).toBe(1);
});

test.each<[string, Partial<Viewer>]>([
  ['roles', { roles: ['global-admin'] }],
  ['permissions', { permissions: new Set(['EDIT_USER']) }],
  ['blocks', { hasBlocks: true }],
  ['expiry', { expiresAt: new Date(5_000_000_000_000) }],
  ['session', { sessionId: 'other' }],
  ['network', { networkId: 'other' }],
])('executes a request again when the viewer differs in: %s', async (_, changed) => {
  const cache = createAnswerCache({ maxBytes: 100_000 });
  const operation = newOperation();
  await repeat(cache, operation, newContext({ value: 'a' }));
  await repeat(cache, operation, newContext({ value: 'a' }, changed), 1);
  expect(operation.executions).toBe(3);
});

test('keeps nothing with a bound of 0, without a viewer, and for other reads', async () => {
  const settings = { value: 'a' };
  const off = newOperation();
  await repeat(createAnswerCache({ maxBytes: 0 }), off, newContext(settings));
  expect(off.executions).toBe(4);
  const anonymous = newOperation();
  const context = { ...newContext(settings), viewer: null };
  await repeat(createAnswerCache({ maxBytes: 100_000 }), anonymous, context);
  expect(anonymous.executions).toBe(4);
  for (const work of [
    (one: Context) => one.now(),
    (one: Context) => one.store.db,
    (one: Context) => one.events,
    (one: Context) => one.credentials,
  ]) {
    const operation = newOperation(work);
    await repeat(createAnswerCache({ maxBytes: 100_000 }), operation, newContext(settings));
    expect(operation.executions).toBe(4);
  }
});

test('returns an answer only until a time that it was compared with has passed', async () => {
  const cache = createAnswerCache({ maxBytes: 100_000 });
  const operation = newOperation((context) => context.hasPassed(new Date(2_000)));
  clock.now = new Date(1_000);
  await repeat(cache, operation, newContext({ value: 'a' }));
  clock.now = new Date(1_999);
  await repeat(cache, operation, newContext({ value: 'a' }), 1);
  expect(operation.executions).toBe(2);
  clock.now = new Date(2_000);
  await repeat(cache, operation, newContext({ value: 'a' }), 1);
  expect(operation.executions).toBe(3);
});

test('executes as usual when answers change more often than they are used', async () => {
  const cache = createAnswerCache({ maxBytes: 100_000 });
  const operation = newOperation();
  for (let round = 0; round < 20; round += 1) await repeat(cache, operation, newContext({ value: `${round}` }), 1);
  expect(cache.stats.kept).toBeLessThan(8);
  expect(operation.executions).toBe(20);
});

test('keeps at most the bytes of its bound, and no long answers and keys', async () => {
  const maxBytes = 1_048_576;
  const cache = createAnswerCache({ maxBytes });
  const context = newContext({ value: randomText() });
  const { execute } = newOperation();
  for (let index = 0; index < 200; index += 1)
    for (let round = 0; round < 2; round += 1) await cache.answer({ key: `query ${index}`, context, execute });
  // Requests that are equally frequent replace none.
  expect(cache.stats.kept).toBeGreaterThan(50);
  expect(cache.stats.kept).toBeLessThan(200);
  expect(cache.bytes()).toBeGreaterThan(maxBytes / 2);
  expect(cache.bytes()).toBeLessThanOrEqual(maxBytes);

  const before = cache.stats.kept;
  await repeat(cache, newOperation(), newContext({ value: 'x'.repeat(200_000) }));
  const long = { key: 'x'.repeat(5_000), context, execute };
  for (let round = 0; round < 4; round += 1) await cache.answer(long);
  expect(cache.stats.kept).toBe(before);
});

test('keeps long answers compressed, and the copies that it returns within the bound', async () => {
  const maxBytes = 262_144;
  const cache = createAnswerCache({ maxBytes });
  const value = 'Seedlings grow. '.repeat(1_000);
  const { execute } = newOperation();
  const repeatAll = async () => {
    for (let index = 0; index < 60; index += 1) {
      const context = newContext({ value: `${index} ${value}` });
      const { text } = await cache.answer({ key: `query ${index}`, context, execute });
      expect(JSON.parse(String(text))).toEqual({ value: `${index} ${value}` });
      expect(cache.bytes()).toBeLessThanOrEqual(maxBytes);
    }
  };
  for (let round = 0; round < 4; round += 1) await repeatAll();
  // Together 960 KB.
  expect(cache.stats.kept).toBe(60);
  expect(cache.stats.returned).toBe(120);
});

test('an answer replaces one whose request is less frequent, and requests that come twice replace none of them', async () => {
  const cache = createAnswerCache({ maxBytes: 1_048_576 });
  const context = newContext({ value: randomText() });
  const { execute } = newOperation();
  const repeatAll = async (prefix: string, count: number, times: number) => {
    const before = cache.stats.returned;
    for (let round = 0; round < times; round += 1)
      for (let index = 0; index < count; index += 1)
        await cache.answer({ key: `${prefix} ${index}`, context, execute });
    return cache.stats.returned - before;
  };
  await repeatAll('frequent', 40, 8);
  await repeatAll('rare', 400, 2);
  expect(await repeatAll('frequent', 40, 1)).toBe(40);
  // Requests that become more frequent than these.
  const evicted = cacheEvictions.with('answers');
  const before = evicted.value;
  await repeatAll('newer', 60, 20);
  expect(await repeatAll('newer', 60, 1)).toBe(60);
  expect(evicted.value).toBeGreaterThan(before);
});

test('keeps no answer that is marked as not keepable', async () => {
  const cache = createAnswerCache({ maxBytes: 100_000 });
  const context = newContext({ value: 'a' });
  let executions = 0;
  const execute = async (one: Context) => {
    executions += 1;
    await one.store.networkCache.settingsOf('network');
    return { text: '{"errors":[]}', isKeepable: false };
  };
  for (let round = 0; round < 4; round += 1) await cache.answer({ key: 'query', context, execute });
  expect(executions).toBe(4);
});
