import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';

/** Fewer on a MongoDB server, which may run emulated. */
const USERS = process.env.MONGODB_URI ? 30 : 100;
const SETTINGS = { DATABASE_TIMEOUT_MS: '60000' };

let faulty: FaultyGateway;
let second: Started;
beforeAll(async () => {
  faulty = await startFaultyGateway(SETTINGS);
  const { config, store } = faulty.gateway.services;
  second = await start(readConfig({ ...plain(config), ...faulty.gateway.keys }), {
    databaseName: store.db.databaseName,
  });
  await second.prepared;
});
afterAll(async () => {
  await second.close();
  await faulty.close();
});

/** A configuration from environment variables. */
function plain(config: object): Record<string, string> {
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

async function call(url: string, path: string, headers: Record<string, string>, body: object) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { accessToken: string } };
}

async function flagBy(names: readonly string[], postId: string, urlOf: (index: number) => string): Promise<number> {
  const { keys, services } = faulty.gateway;
  const post = { networkId: 'default', postId };
  const before = (await services.store.collections.posts.findOne(post))!.flagCount;
  const tokens = await Promise.all(
    names.map(async (userId, index) => {
      const session = { userId, deviceId: userId };
      return (await call(urlOf(index), '/api/v5/sessions', { 'x-api-key': keys.API_KEY }, session)).body.accessToken;
    }),
  );
  const statuses = await Promise.all(
    tokens.map(async (token, index) => {
      const path = `/api/v3/posts/${postId}/flag`;
      return (await call(urlOf(index), path, { authorization: `Bearer ${token}` }, { reason: 'Others' })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  return (await services.store.collections.posts.findOne(post))!.flagCount - before;
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

test('counts 100 concurrent flags of one post once per user', async () => {
  const { url, services } = faulty.gateway;
  expect(await flagBy(names('one', USERS), 'seedlings', () => url)).toBe(USERS);
  expect(await findInconsistencies(services.store.db)).toEqual([]);
}, 240_000);

test('counts them also through two gateways, which share no key lock', async () => {
  const urls = [faulty.gateway.url, second.url];
  expect(await flagBy(names('two', 20), 'seedlings', (index) => urls[index % 2]!)).toBe(20);
  expect(await findInconsistencies(faulty.gateway.services.store.db)).toEqual([]);
}, 240_000);
