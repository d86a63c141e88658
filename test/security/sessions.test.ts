import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const signIn = (body: object, headers: Record<string, string> = { 'x-api-key': gateway.keys.API_KEY }) =>
  gateway.rest('/api/v5/sessions', { as: null, method: 'POST', headers, body });
const mint = (userId: string, serverKey = gateway.keys.SERVER_KEY) =>
  gateway.rest('/api/v4/authentication/token', {
    as: null,
    method: 'POST',
    headers: { 'x-server-key': serverKey },
    body: { userId },
  });
const readAs = (token: string) =>
  gateway.rest('/api/v3/posts/seedlings', { as: null, headers: { authorization: `Bearer ${token}` } });

describe('signing in', () => {
  test.each(['v5', 'v4', 'v3'])('/api/%s/sessions returns the token, its lifetime and the user', async (version) => {
    const { status, body } = await gateway.rest(`/api/${version}/sessions`, {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': gateway.keys.API_KEY, 'set-access-token-cookie': 'true' },
      body: { userId: 'bob', deviceId: 'web#1', deviceInfo: { kind: 'web', model: 'x', sdkVersion: '6' } },
    });
    expect(status).toBe(200);
    expect(body.users[0]).toMatchObject({ userId: 'bob' });
    expect(body.users[0].path).toBe(`${gateway.networkId}/user/${body.users[0]._id}`);
    const days = (Date.parse(body.expiresAt) - Date.parse(body.issuedAt)) / 86_400_000;
    expect(days).toBe(30);
    expect((await readAs(body.accessToken)).status).toBe(200);
  });

  test('GraphQL applies the same bounds as REST, and creates no user beyond them', async () => {
    const before = await gateway.services.store.collections.users.countDocuments({ networkId: gateway.networkId });
    for (const input of [
      { userId: '' },
      { userId: 'x'.repeat(51) },
      { userId: 'zoe', displayName: 'x'.repeat(101) },
      { userId: 'zoe', deviceId: 'x'.repeat(151) },
    ]) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
        body: JSON.stringify({
          query:
            'mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on OperationError { code } } }',
          variables: { input },
        }),
      });
      expect(await response.json()).toEqual({ data: { createSession: { code: 'INVALID_PARAMETERS' } } });
    }
    expect(await gateway.services.store.collections.users.countDocuments({ networkId: gateway.networkId })).toBe(
      before,
    );
  });

  test('creates an unknown user once when ten devices sign in concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signIn({ userId: 'newcomer', displayName: 'New', deviceId: `d${n}` })),
    );
    expect(new Set(answers.map(({ body }) => body.users[0]._id)).size).toBe(1);
    expect(answers[0]!.body.users[0].displayName).toBe('New');
  });

  test.each([
    ['no key', {}],
    ['a wrong key', { 'x-api-key': 'wrong-key' }],
  ])('%s is rejected', async (_, headers) => {
    expect(await signIn({ userId: 'bob' }, headers as Record<string, string>)).toMatchObject({
      status: 401,
      body: { code: 400100 },
    });
  });

  test.each([
    [{}],
    [{ userId: '' }],
    [{ userId: 'x'.repeat(51) }],
    [{ userId: { $ne: null } }],
    [{ userId: 1 }],
    [{ userId: 'bob', deviceId: 'd'.repeat(151) }],
    [{ userId: 'bob', displayName: 'n'.repeat(101) }],
  ])('%j is invalid', async (body) => {
    expect(await signIn(body)).toMatchObject({
      status: 422,
      body: { code: 500000, message: 'Parameters validation error!' },
    });
  });

  test('GraphQL signs in the same way', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
      body: JSON.stringify({
        query:
          'mutation { createSession(input: { userId: "carol" }) { ... on CreateSessionPayload { session { accessToken user { userId } } } ... on OperationError { code } } }',
      }),
    });
    const { data } = (await response.json()) as { data: { createSession: { session: { accessToken: string } } } };
    expect((await readAs(data.createSession.session.accessToken)).status).toBe(200);
  });
});

describe('a network-wide role', () => {
  test('requires an authToken minted with the server key', async () => {
    expect((await signIn({ userId: 'admin' })).status).toBe(401);
    const { body: authToken } = await mint('admin');
    expect((await signIn({ userId: 'admin', authToken })).status).toBe(200);
    const { body: foreign } = await mint('bob');
    expect((await signIn({ userId: 'admin', authToken: foreign })).status).toBe(401);
  });

  test('rejects a wrong server key and the API key when a token is minted', async () => {
    expect((await mint('admin', 'wrong')).status).toBe(401);
    expect((await mint('admin', gateway.keys.API_KEY)).status).toBe(401);
  });
});

describe('a token', () => {
  test('is revoked at sign-out, without other tokens of the user', async () => {
    const [first, second] = [
      await signIn({ userId: 'bob', deviceId: 'one' }),
      await signIn({ userId: 'bob', deviceId: 'two' }),
    ];
    const logout = await gateway.rest('/api/v4/sessions', {
      as: null,
      method: 'DELETE',
      headers: { authorization: `Bearer ${first.body.accessToken}` },
    });
    expect(logout).toMatchObject({ status: 200, body: { success: true } });
    expect((await readAs(first.body.accessToken)).status).toBe(401);
    expect((await readAs(second.body.accessToken)).status).toBe(200);
  });

  test('is revoked when another user signs in on the device', async () => {
    const bob = await signIn({ userId: 'bob', deviceId: 'shared' });
    await signIn({ userId: 'carol', deviceId: 'shared' });
    expect((await readAs(bob.body.accessToken)).status).toBe(401);
  });

  test('is rejected when its kind, key, algorithm, audience, issuer or expiry is wrong', async () => {
    const { body } = await signIn({ userId: 'bob' });
    const { body: authToken } = await mint('bob');
    const [, payload] = (body.accessToken as string).split('.');
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
    const secret = new TextEncoder().encode(gateway.keys.TOKEN_SECRET);
    const forge = (change: object, alg = 'HS256', key: Uint8Array = secret) =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg }).sign(key);
    const tokens = [
      authToken as string,
      await forge({}, 'HS256', new TextEncoder().encode('k'.repeat(64))),
      await forge({}, 'HS512', new TextEncoder().encode(gateway.keys.TOKEN_SECRET)),
      await forge({ aud: 'other' }),
      await forge({ iss: 'other' }),
      await forge({ exp: 1 }),
      await forge({ sub: 'admin' }),
      await forge({ net: 'another' }),
      await forge({ jti: 'another' }),
      `${body.accessToken}x`,
    ];
    for (const token of tokens) expect((await readAs(token)).status).toBe(401);
    expect((await readAs(await forge({}))).status).toBe(200);
  });
});
