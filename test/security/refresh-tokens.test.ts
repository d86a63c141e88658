import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}

let gateways: TwoGateways;
let url: string;
beforeAll(async () => {
  gateways = await startTwoGateways({ ACCESS_TOKEN_MINUTES: '5' });
  url = gateways.first.url;
});
afterAll(() => gateways?.close());

async function post(address: string, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Tokens };
}

async function signIn(userId = 'bob'): Promise<Tokens> {
  const { body } = await post(url, '/api/v5/sessions', { userId }, { 'x-api-key': gateways.first.keys.API_KEY });
  return body;
}

const refresh = ({ refreshToken }: Pick<Tokens, 'refreshToken'>, address = url) =>
  post(address, '/api/v5/sessions/refresh', { refreshToken });

const statusOf = async ({ accessToken }: Tokens) =>
  (await fetch(`${url}/api/v3/sessions`, { headers: { authorization: `Bearer ${accessToken}` } })).status;

const recordOf = ({ accessToken }: Tokens) => ({ networkId: 'default', sessionId: decodeJwt(accessToken).jti! });
const sessions = () => gateways.store.collections.sessions;

/** Sets the last rotation back, as if it had been this long ago. */
const rotatedAgo = (tokens: Tokens, seconds: number) =>
  sessions().updateOne(recordOf(tokens), { $set: { refreshedAt: new Date(Date.now() - seconds * 1_000) } });

test('without the setting, sessions have no refresh token and last as before', async () => {
  const plain = await openTestNetwork();
  const body = { userId: 'bob' };
  const created = await post(plain.url, '/api/v5/sessions', body, { 'x-api-key': plain.keys.API_KEY });
  expect(created.body.refreshToken).toBe('');
  expect(Date.parse(created.body.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  const { refreshToken } = await signIn();
  for (const given of [refreshToken, created.body.accessToken]) {
    expect((await refresh({ refreshToken: given }, plain.url)).status).toBe(401);
  }
});

test('a refresh returns new tokens over REST and GraphQL, and the session does not become longer', async () => {
  const first = await signIn();
  const minutes = (Date.parse(first.expiresAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(4);
  expect(minutes).toBeLessThanOrEqual(5);
  expect(await statusOf(first)).toBe(200);
  const before = await sessions().findOne(recordOf(first));

  const second = await refresh(first);
  expect(second.status).toBe(200);
  expect(second.body.refreshToken).not.toBe(first.refreshToken);
  expect(await statusOf(second.body)).toBe(200);

  const { data } = await gateways.first.graphql<{ refreshSession: { session: Tokens } }>(
    `mutation ($refreshToken: String!) { refreshSession(input: { refreshToken: $refreshToken }) {
      ... on RefreshSessionPayload { session { accessToken refreshToken expiresAt user { userId } } } } }`,
    { as: null, variables: { refreshToken: second.body.refreshToken } },
  );
  expect(data.refreshSession.session).toMatchObject({ user: { userId: 'bob' } });
  expect(await statusOf(data.refreshSession.session)).toBe(200);
  const after = await sessions().findOne(recordOf(first));
  expect(after).toMatchObject({ refreshGeneration: 2, expiresAt: before!.expiresAt, revokedAt: null });
});

test('refreshes of several tabs through two gateways return the same tokens', async () => {
  const first = await signIn();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, tab) => refresh(first, gateways.urls[tab % 2])));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body.accessToken)).size).toBe(1);
  expect(await sessions().findOne(recordOf(first))).toMatchObject({ refreshGeneration: 1 });
});

test('a client that received no answer gets the same tokens within 30 seconds', async () => {
  const first = await signIn();
  const lost = await refresh(first);
  await rotatedAgo(first, 25);
  const again = await refresh(first);
  expect(again.status).toBe(200);
  expect((await refresh(again.body)).status).toBe(200);
  expect(lost.status).toBe(200);
});

test('a token that was replaced more than 30 seconds ago ends the session of the thief and of the owner', async () => {
  const first = await signIn();
  const second = await refresh(first);
  const socket = await (await rawSocket(url)).init(second.body.accessToken);
  await rotatedAgo(first, 31);
  expect((await refresh(first)).status).toBe(401);
  expect(await statusOf(second.body)).toBe(401);
  expect((await refresh(second.body)).status).toBe(401);
  expect(await socket.closed).toMatchObject({ code: 4401 });
});

test('a token that was replaced twice ends the session immediately', async () => {
  const first = await signIn();
  const third = await refresh((await refresh(first)).body);
  expect((await refresh(first)).status).toBe(401);
  expect(await statusOf(third.body)).toBe(401);
});

test('altered, foreign and other tokens are refused and end nothing', async () => {
  const tokens = await signIn();
  const [head, , signature] = tokens.refreshToken.split('.');
  const claims = { ...decodeJwt(tokens.refreshToken), gen: -1 };
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  for (const refreshToken of [`${tokens.refreshToken}x`, forged, tokens.accessToken, 'x', '\u0000', 'a.b.c']) {
    expect([refreshToken, (await refresh({ refreshToken })).status]).toEqual([refreshToken, 401]);
  }
  for (const body of [{}, { refreshToken: '' }, { refreshToken: { $ne: '' } }, { refreshToken: 'x'.repeat(2_001) }]) {
    expect((await post(url, '/api/v5/sessions/refresh', body)).status).toBe(422);
  }
  expect(await statusOf({ ...tokens, accessToken: tokens.refreshToken })).toBe(401);
  expect(await statusOf(tokens)).toBe(200);
  expect((await refresh(tokens)).status).toBe(200);
});

test('sessions that ended, and those of banned users, are not refreshed', async () => {
  const left = await signIn('carol');
  const headers = { authorization: `Bearer ${left.accessToken}` };
  await fetch(`${url}/api/v4/sessions`, { method: 'DELETE', headers });
  expect((await refresh(left)).status).toBe(401);
  const banned = await signIn('dave');
  await mutations(gateways.first)('admin', 'banUser', { userId: 'dave' }, '__typename');
  expect((await refresh(banned)).status).toBe(401);
  const expired = await signIn('erin');
  await sessions().updateOne(recordOf(expired), { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect((await refresh(expired)).status).toBe(401);
});

test('the session of a visitor is refreshed as one', async () => {
  const headers = { 'x-api-key': gateways.first.keys.API_KEY };
  const { body } = await post(url, '/api/v5/sessions/visitor', { deviceId: 'a-device' }, headers);
  const refreshed = await refresh(body);
  expect(refreshed.body).toMatchObject({ userType: 'visitor' });
});

test('an open socket continues when its session is refreshed, and closes when its last access token expires', async () => {
  const first = await signIn('frank');
  const socket = await (await rawSocket(url)).init(first.accessToken);
  const soon = () => ({ $set: { accessExpiresAt: new Date(Date.now() + 2_500) } });
  await sessions().updateOne(recordOf(first), soon());
  const second = await refresh(first, gateways.urls[1]);
  expect(second.status).toBe(200);
  await new Promise((later) => setTimeout(later, 4_000));
  socket.send({ type: 'ping' });
  await expect.poll(() => socket.messages.some(({ type }) => type === 'pong')).toBe(true);
  await sessions().updateOne(recordOf(first), soon());
  expect(await socket.closed).toEqual({ code: 4401, reason: 'The token has expired.' });
});

test('queries over an open socket continue when its session is refreshed, although the token of the socket expires', async () => {
  const tokens = await signIn('frank');
  const { services } = gateways.first;
  const claims = await services.tokens.verify(tokens.accessToken);
  const expiresAt = new Date(Date.now() + 2_000);
  const token = await services.tokens.sign({ ...claims!, expiresAt });
  const socket = await (await rawSocket(url)).init(token);
  const userIdOf = async (id: string) => {
    socket.send({ type: 'subscribe', id, payload: { query: '{ viewer { userId } }' } });
    const { payload } = await socket.message((message) => message.id === id && message.type !== 'complete');
    return payload.data?.viewer.userId ?? payload;
  };
  expect(await userIdOf('before')).toBe('frank');
  expect((await refresh(tokens, gateways.urls[1])).status).toBe(200);
  await expect.poll(() => statusOf({ ...tokens, accessToken: token })).toBe(401);
  expect(await userIdOf('after')).toBe('frank');
  // A new connection needs a valid token.
  const another = await rawSocket(url);
  another.send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } });
  expect((await another.closed).code).toBe(4401);
  await sessions().updateOne(recordOf(tokens), { $set: { accessExpiresAt: new Date(Date.now() - 1_000) } });
  expect(await socket.closed).toEqual({ code: 4401, reason: 'The token has expired.' });
});
