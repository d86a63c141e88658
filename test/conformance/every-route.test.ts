import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { ensureNetwork } from '../../src/domain/network/ensure-network.ts';
import { routeName, type SampleCall } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
let call: (name: string) => SampleCall;
beforeAll(async () => {
  gateway = await startTestGateway();
  const ids = await readSampleIds(gateway);
  call = (name) => CALLS[name]!(ids);
});
afterAll(() => gateway.close());

/** On a slow server, loads that are usually batched may be sent as separate commands. */
const SLACK = process.env.MONGODB_URI ? 4 : 0;

const closed = ROUTES.filter((route) => !route.open);

test('every route has a sample call with a budget, and every sample call has a route', () => {
  expect(Object.keys(CALLS).sort()).toEqual(closed.map(routeName).sort());
});

describe.each(closed.map((row) => [routeName(row), row.method] as const))('%s', (name, method) => {
  test('rejects missing and expired tokens without a database command', async () => {
    const { path, body } = call(name);
    const secret = new TextEncoder().encode(gateway.keys.TOKEN_SECRET);
    const expired = await new SignJWT({
      net: 'default',
      sub: 'alice',
      jti: 'x',
      iat: 1,
      exp: 2,
      aud: 'access',
      iss: 'colloquy',
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(secret);
    const commands = await gateway.commandsOf(async () => {
      for (const headers of [{}, { authorization: `Bearer ${expired}` }]) {
        const answer = await gateway.rest(path, { as: null, method, body, headers });
        expect([answer.status, answer.body.code]).toEqual([401, 400100]);
      }
    });
    expect(commands).toEqual([]);
  });

  test('stays within its budget of database commands', async () => {
    const { as = 'alice', path, body, budget } = call(name);
    await gateway.tokenOf(as);
    let status = 0;
    const commands = await gateway.commandsOf(async () => {
      status = (await gateway.rest(path, { as, method, body })).status;
    });
    expect(status).toBe(200);
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget + SLACK);
  });

  test('neither reads nor changes another network', async () => {
    const token = await foreignToken();
    const { path, body } = call(name);
    const { services } = gateway;
    const before = await fingerprint();
    const answer = await gateway.rest(path, { as: null, method, body, headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBeLessThan(500);
    const text = JSON.stringify(answer.body);
    for (const secret of ['gardeners', 'alice', 'seedlings', 'Gardeners']) {
      if (answer.status === 200) expect(text.replaceAll(path, '')).not.toContain(`"${secret}`);
    }
    expect(await fingerprint()).toEqual(before);

    async function fingerprint(): Promise<number[]> {
      const { posts, flags, pins, communityUsers, userFeedMarkers } = services.store.collections;
      return Promise.all(
        [posts, flags, pins, communityUsers, userFeedMarkers].map((collection) =>
          (collection as typeof posts).countDocuments({ networkId: 'default' }),
        ),
      );
    }
  });
});

let foreign: Promise<string> | undefined;
function foreignToken(): Promise<string> {
  foreign ??= (async () => {
    const { store, config } = gateway.services;
    const keys = { API_KEY: 'another-network', SERVER_KEY: 'another-server-key', TOKEN_SECRET: '' };
    await ensureNetwork(store, { ...config, NETWORK_ID: 'another' }, keys, new Date());
    const { body } = await gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': keys.API_KEY },
      body: { userId: 'stranger' },
    });
    return body.accessToken as string;
  })();
  return foreign;
}
