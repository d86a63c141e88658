import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ensureNetwork } from '../../src/domain/network/ensure-network.ts';
import { keysOf } from '../../src/domain/network/keys/network-keys.ts';
import { storeKeyUses } from '../../src/domain/network/keys/store-key-uses.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { mutations } from '../support/mutate.ts';

const HOUR_MS = 3_600_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());
const mutate = mutations(() => gateway);
const KEY = 'key { keyId kind name expiresAt hasExpired createdBy } value';
const networks = () => gateway.services.store.collections.networks;

const create = async (kind: 'API' | 'SERVER', name = 'Other') =>
  (await mutate('admin', 'createKey', { kind, name }, KEY)) as { key: { keyId: string }; value: string };
const retire = (keyId: string, at?: string) => mutate('admin', 'retireKey', { keyId, at }, 'key { hasExpired }');
const list = async () => {
  const { data } = await gateway.graphql<{ networkKeys: Array<{ keyId: string; name: string; expiresAt: string }> }>(
    '{ networkKeys { keyId kind name prefix expiresAt hasExpired createdBy lastUsedAt } }',
    { as: 'admin' },
  );
  return data.networkKeys;
};
const signIn = async (apiKey: string) =>
  (
    await gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      body: { userId: 'bob', deviceId: 'keys' },
    })
  ).status;
const mint = async (serverKey: string) =>
  (
    await gateway.rest('/api/v4/authentication/token', {
      as: null,
      method: 'POST',
      headers: { 'x-server-key': serverKey },
      body: { userId: 'bob' },
    })
  ).status;
/** Moves the end of a key, as time would. */
const expire = (keyId: string) =>
  networks().updateOne(
    { networkId: gateway.networkId, 'keys.keyId': keyId },
    { $set: { 'keys.$[key].expiresAt': new Date(Date.now() - 1) } },
    { arrayFilters: [{ 'key.keyId': keyId }] },
  );

describe('a created key', () => {
  test('is accepted beside the configured one, until it is retired', async () => {
    const { key, value } = await create('API', 'Web');
    expect(key).toMatchObject({ kind: 'API', name: 'Web', expiresAt: null, hasExpired: false, createdBy: 'admin' });
    expect(await Promise.all([signIn(value), signIn(gateway.keys.API_KEY)])).toEqual([200, 200]);
    expect(await retire(key.keyId)).toMatchObject({ key: { hasExpired: true } });
    expect(await Promise.all([signIn(value), signIn(gateway.keys.API_KEY)])).toEqual([401, 200]);
  });

  test('is accepted for its kind only', async () => {
    const api = await create('API');
    const server = await create('SERVER');
    expect(await Promise.all([mint(api.value), signIn(server.value), mint(server.value)])).toEqual([401, 401, 200]);
  });

  test('is stored as a hash, and returned by no query and no repeated mutation', async () => {
    const input = { kind: 'API', name: 'Once', clientMutationId: 'once' };
    const first = (await mutate('admin', 'createKey', input, KEY)) as { key: object; value: string };
    const again = (await mutate('admin', 'createKey', input, KEY)) as { key: object; value: null };
    expect(again).toEqual({ ...first, value: null });
    expect(JSON.stringify(await list())).not.toContain(first.value);
    const { db } = gateway.services.store;
    for (const name of ['networks', 'keyedWrites', 'events'])
      expect(JSON.stringify(await db.collection(name).find().toArray())).not.toContain(first.value);
  });

  test('with a later end is accepted until then', async () => {
    const { key, value } = await create('SERVER');
    const at = new Date(Date.now() + HOUR_MS).toISOString();
    expect(await retire(key.keyId, at)).toMatchObject({ key: { hasExpired: false } });
    expect(await mint(value)).toBe(200);
    await expire(key.keyId);
    expect(await mint(value)).toBe(401);
  });
});

test('a created key is recognized by its first characters, and renamed without a change of its value', async () => {
  const { key, value } = await create('API', 'Wbe');
  const named = async () => (await list()).find(({ keyId }) => keyId === key.keyId)!;
  const { prefix } = (await named()) as unknown as { prefix: string };
  expect(prefix).toMatch(/^api_[0-9a-f]{6}$/);
  expect(value.startsWith(prefix)).toBe(true);
  const renamed = await mutate('admin', 'renameKey', { keyId: key.keyId, name: 'Web' }, 'key { keyId name prefix }');
  expect(renamed).toMatchObject({ key: { keyId: key.keyId, name: 'Web', prefix } });
  expect(await signIn(value)).toBe(200);
  const { auditEntries } = gateway.services.store.collections;
  const entry = await auditEntries.findOne({ networkId: gateway.networkId, action: 'renameKey' });
  expect(entry!.details).toMatchObject({ keyId: key.keyId, name: 'Web', nameBefore: 'Wbe' });
});

test.each([
  ['an unknown key', { keyId: 'none', name: 'Web' }, 'NOT_FOUND'],
  ['an empty name', { keyId: 'none', name: '' }, 'INVALID_PARAMETERS'],
  ['a long name', { keyId: 'none', name: 'x'.repeat(101) }, 'INVALID_PARAMETERS'],
])('renameKey rejects %s', async (_, input, code) => {
  expect(await mutate('admin', 'renameKey', input, 'key { keyId }')).toMatchObject({ code });
});

test('the last use of a key is listed immediately, stored later in one command, and never moved back', async () => {
  const { key, value } = await create('SERVER', 'Used');
  const { store } = gateway.services;
  const listed = async () =>
    ((await list()) as unknown as Array<{ keyId: string; lastUsedAt: string | null }>).find(
      ({ keyId }) => keyId === key.keyId,
    )!.lastUsedAt;
  const stored = async () =>
    (await networks().findOne({ networkId: gateway.networkId }))!.keys!.find(({ keyId }) => keyId === key.keyId)!
      .lastUsedAt;
  expect([await listed(), await stored()]).toEqual([null, undefined]);
  expect(await mint(`${value}0`)).toBe(401);
  expect(await listed()).toBeNull();
  for (let count = 0; count < 3; count += 1) expect(await mint(value)).toBe(200);
  const used = (await listed())!;
  expect(Math.abs(Date.parse(used) - Date.now())).toBeLessThan(120_000);
  expect(await stored()).toBeUndefined();
  await storeKeyUses({ store });
  expect((await stored())!.toISOString()).toBe(used);
  // As stored by a process whose clock is behind.
  store.keyUses.note({ networkId: gateway.networkId, keyId: key.keyId, at: new Date(0) });
  await storeKeyUses({ store });
  expect((await stored())!.toISOString()).toBe(used);
});

describe('rotation', () => {
  test('returns a new key, and accepts the replaced one for the overlap', async () => {
    const old = await create('SERVER', 'Backend');
    const rotated = await mutate('admin', 'rotateKey', { keyId: old.key.keyId, overlapHours: 2 }, KEY);
    const { key, value } = rotated as typeof old;
    expect(key).toMatchObject({ kind: 'SERVER', name: 'Backend', expiresAt: null });
    expect(await Promise.all([mint(old.value), mint(value)])).toEqual([200, 200]);
    const end = Date.parse((await list()).find(({ keyId }) => keyId === old.key.keyId)!.expiresAt);
    expect(Math.abs(end - Date.now() - 2 * HOUR_MS)).toBeLessThan(120_000);
    await expire(old.key.keyId);
    expect(await Promise.all([mint(old.value), mint(value)])).toEqual([401, 200]);
  });

  test('without an overlap refuses the replaced key immediately, and leaves an earlier end', async () => {
    const old = await create('API');
    await mutate('admin', 'rotateKey', { keyId: old.key.keyId, overlapHours: 0 }, KEY);
    expect(await signIn(old.value)).toBe(401);
    const ending = await create('API');
    const at = new Date(Date.now() + HOUR_MS).toISOString();
    await retire(ending.key.keyId, at);
    await mutate('admin', 'rotateKey', { keyId: ending.key.keyId, overlapHours: 48 }, KEY);
    expect((await list()).find(({ keyId }) => keyId === ending.key.keyId)).toMatchObject({ expiresAt: at });
  });

  test('accepts visits signed with either server key', async () => {
    const { value } = await create('SERVER');
    const visit = async (serverKey: string) => {
      const expiresAt = '2100-01-01T00:00:00.000Z';
      const secret = createHash('sha256').update(serverKey).digest('hex');
      const text = `deviceId=phone&authSignatureExpiresAt=${expiresAt}`;
      const authSignature = createHmac('sha256', secret).update(text).digest('hex');
      const body = { deviceId: 'phone', authSignature, authSignatureExpiresAt: expiresAt };
      const headers = { 'x-api-key': gateway.keys.API_KEY };
      return (await gateway.rest('/api/v5/sessions/visitor', { as: null, method: 'POST', headers, body })).status;
    };
    expect(await Promise.all([visit(value), visit(gateway.keys.SERVER_KEY), visit('another-key')])).toEqual([
      200, 200, 401,
    ]);
  });
});

test('a retired key cannot be rotated, retired again or made valid', async () => {
  const { key } = await create('API');
  await retire(key.keyId);
  const refused = { code: 'BAD_REQUEST', message: 'This key is retired already.' };
  const at = new Date(Date.now() + HOUR_MS).toISOString();
  expect(await retire(key.keyId, at)).toMatchObject(refused);
  expect(await mutate('admin', 'rotateKey', { keyId: key.keyId }, KEY)).toMatchObject(refused);
});

test('each kind keeps a key without an end', async () => {
  const own = await openTestNetwork();
  const { data } = await own.graphql<{ networkKeys: Array<{ keyId: string; kind: string }> }>(
    '{ networkKeys { keyId kind } }',
    { as: 'admin' },
  );
  const change = mutations(own);
  const at = new Date(Date.now() + HOUR_MS).toISOString();
  for (const { keyId, kind } of data.networkKeys) {
    expect(await change('admin', 'retireKey', { keyId, at }, 'key { keyId }')).toMatchObject({ code: 'BAD_REQUEST' });
    await change('admin', 'createKey', { kind, name: 'Next' }, 'key { keyId }');
    expect(await change('admin', 'retireKey', { keyId, at }, 'key { keyId }')).toMatchObject({
      key: { keyId },
    });
  }
});

test('of two concurrent changes none is lost', async () => {
  const created = await Promise.all(Array.from({ length: 4 }, (_, index) => create('API', `Concurrent ${index}`)));
  const ids = (await list()).map(({ keyId }) => keyId);
  expect(ids).toEqual(expect.arrayContaining(created.map(({ key }) => key.keyId)));
});

test('a network has at most 20 keys; retired ones make room', async () => {
  const own = await openTestNetwork();
  const change = mutations(own);
  const add = async () => (await change('admin', 'createKey', { kind: 'API', name: 'x' }, 'key { keyId }')) as never;
  const added: Array<{ key: { keyId: string } }> = [];
  for (let count = 0; count < 18; count += 1) added.push(await add());
  expect(await add()).toMatchObject({ code: 'BAD_REQUEST', message: 'At most 20 keys.' });
  await change('admin', 'retireKey', { keyId: added[0]!.key.keyId }, 'key { keyId }');
  expect(await add()).toMatchObject({ key: { keyId: expect.any(String) } });
});

test('ends the stream of a server whose key is retired', async () => {
  const { key, value } = await create('SERVER');
  const aborted = new AbortController();
  onTestFinished(() => aborted.abort());
  const response = await fetch(`${gateway.url}/webhook/v3.post.didCreate`, {
    headers: { 'x-server-key': value, accept: 'text/event-stream' },
    signal: aborted.signal,
  });
  expect(response.status).toBe(200);
  let isOver = false;
  void response.text().then(
    () => {
      isOver = true;
    },
    () => undefined,
  );
  await retire(key.keyId);
  await waitFor(() => isOver, 30_000);
});

describe('at a start', () => {
  const startWith = async (given: Partial<TestGateway['keys']>, config = gateway.services.config) => {
    const warnings: string[] = [];
    const { store } = gateway.services;
    await ensureNetwork(store, config, { ...gateway.keys, ...given }, new Date(), {
      onWarning: (message) => warnings.push(message),
    });
    return warnings;
  };

  test('a changed setting replaces the key that was configured before', async () => {
    const before = (await list()).length;
    expect(await startWith({ API_KEY: 'a-changed-api-key' })).toEqual([]);
    expect(await Promise.all([signIn('a-changed-api-key'), signIn(gateway.keys.API_KEY)])).toEqual([200, 401]);
    await startWith({});
    expect(await Promise.all([signIn('a-changed-api-key'), signIn(gateway.keys.API_KEY)])).toEqual([401, 200]);
    expect((await list()).length).toBe(before);
  });

  test('a rotated key can be configured, and a start with the earlier setting keeps it', async () => {
    const configured = (await list()).find(({ name, expiresAt }) => name === 'SERVER_KEY' && expiresAt === null)!;
    const rotated = await mutate('admin', 'rotateKey', { keyId: configured.keyId, overlapHours: 1 }, KEY);
    const { value } = rotated as { value: string };
    const both = async () => Promise.all([mint(gateway.keys.SERVER_KEY), mint(value)]);
    expect(await startWith({ SERVER_KEY: value })).toEqual([]);
    expect(await both()).toEqual([200, 200]);
    expect(await startWith({})).toEqual([
      expect.stringMatching(/^SERVER_KEY in \S+keys\.json is accepted only until .*: write its successor before$/),
    ]);
    expect(await both()).toEqual([200, 200]);
    await expire(configured.keyId);
    expect(await startWith({})).toEqual([
      expect.stringMatching(
        /^SERVER_KEY in \S+keys\.json was retired at .* and is refused: write a current or a new key there/,
      ),
    ]);
    const { config } = gateway.services;
    expect(await startWith({}, { ...config, SERVER_KEY: gateway.keys.SERVER_KEY })).toEqual([
      expect.stringMatching(/^SERVER_KEY is set to a key that was retired at .*: set a current key$/),
    ]);
    expect(await both()).toEqual([401, 200]);
  });

  test('a retired key stays refused after 20 further keys, and replaces no configured one', async () => {
    const own = await openTestNetwork();
    const change = mutations(own);
    const { store, config } = own.services;
    const record = async () => (await networks().findOne({ networkId: own.networkId }))!;
    const { keyId, hash } = keysOf(await record()).find(({ kind }) => kind === 'api')!;
    const rotate = async (replaced: string) => {
      const rotated = await change('admin', 'rotateKey', { keyId: replaced, overlapHours: 0 }, 'key { keyId } value');
      return rotated as unknown as { key: { keyId: string }; value: string };
    };
    let last = await rotate(keyId);
    for (let count = 0; count < 20; count += 1) last = await rotate(last.key.keyId);
    expect((await record()).keys!.some((key) => key.hash === hash)).toBe(false);
    expect(await Promise.all([signIn(own.keys.API_KEY), signIn(last.value)])).toEqual([401, 200]);
    const next = `${own.keys.API_KEY}-next`;
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    await ensureNetwork(store, config, { ...own.keys, API_KEY: next }, new Date(), { onWarning });
    expect(warnings).toEqual([]);
    await ensureNetwork(store, config, own.keys, new Date(), { onWarning });
    expect(warnings).toEqual([expect.stringMatching(/^API_KEY in \S+keys\.json was retired and is refused/)]);
    expect(await Promise.all([own.keys.API_KEY, next, last.value].map(signIn))).toEqual([401, 200, 200]);
  });

  test('a network of an older release gets its keys, which are accepted before', async () => {
    const own = await openTestNetwork();
    const { networkId } = own;
    await networks().updateOne({ networkId }, { $unset: { keys: true } });
    expect(await Promise.all([signIn(own.keys.API_KEY), mint(own.keys.SERVER_KEY)])).toEqual([200, 200]);
    const known = keysOf((await networks().findOne({ networkId }))!);
    await ensureNetwork(own.services.store, own.services.config, own.keys, new Date());
    const ids = (await networks().findOne({ networkId }))!.keys!.map(({ keyId }) => keyId);
    expect(ids).toEqual(known.map(({ keyId }) => keyId));
  });

  test('a key of another network is refused, also one that was created there', async () => {
    const other = await openTestNetwork();
    const change = mutations(other);
    const created = await change('admin', 'createKey', { kind: 'API', name: 'x' }, 'value');
    const { value } = created as unknown as { value: string };
    await expect(startWith({ API_KEY: value })).rejects.toThrow(/^API_KEY: this key belongs to network/);
  });
});
