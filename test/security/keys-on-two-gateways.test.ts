import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { mutations } from '../support/mutate.ts';
import { isAcceptedEverywhere, openConnections } from '../support/open-connections.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

let gateways: TwoGateways;
beforeAll(async () => {
  gateways = await startTwoGateways();
}, 240_000);
afterAll(() => gateways.close());

interface Created {
  key: { keyId: string };
  value: string;
}
const change = (operation: string, input: object, select = 'key { keyId } value') =>
  mutations(gateways.first)('admin', operation, input, select) as Promise<unknown> as Promise<Created>;

/** Signs in with an API key over both APIs of a gateway. @returns the tokens, null for a refused key */
async function signIn(url: string, apiKey: string): Promise<Array<string | null>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const rest = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ userId: 'bob', deviceId: 'rest' }),
  });
  const graphql = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      query: `mutation { answer: createSession(input: { userId: "bob", deviceId: "graphql" }) {
        ... on CreateSessionPayload { session { accessToken } } } }`,
    }),
  });
  const [{ accessToken }, { data }] = [await rest.json(), await graphql.json()];
  return [accessToken ?? null, data?.answer?.session?.accessToken ?? null];
}

/** Uses a server key over both APIs of a gateway, and opens a stream with it. @returns whether each accepted it */
async function use(url: string, serverKey: string): Promise<boolean[]> {
  const headers = { 'content-type': 'application/json', 'x-server-key': serverKey };
  const rest = await fetch(`${url}/api/v4/authentication/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ userId: 'bob' }),
  });
  const query = 'mutation { answer: mintAuthToken(input: { userId: "bob" }) { __typename } }';
  const graphql = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const aborted = new AbortController();
  const stream = await fetch(`${url}/webhook/v3.post.didCreate`, {
    headers: { 'x-server-key': serverKey, accept: 'text/event-stream' },
    signal: aborted.signal,
  });
  aborted.abort();
  return [rest.status === 200, (await graphql.text()).includes('MintAuthTokenPayload'), stream.status === 200];
}

/** Moves the end of a key into the past, as time would. */
const expire = (keyId: string) =>
  gateways.store.collections.networks.updateOne(
    { networkId: gateways.first.networkId, 'keys.keyId': keyId },
    { $set: { 'keys.$.expiresAt': new Date(Date.now() - 1) } },
  );

test('a rotated API key and its successor open sessions for every transport on two gateways, until its end', async () => {
  const old = await change('createKey', { kind: 'API', name: 'Web' });
  const next = await change('rotateKey', { keyId: old.key.keyId, overlapHours: 1 });
  const before: string[] = [];
  for (const [index, url] of gateways.urls.entries()) {
    for (const { value } of [old, next]) {
      const tokens = await signIn(url, value);
      expect(tokens).toEqual([expect.any(String), expect.any(String)]);
      before.push(...(tokens as string[]));
      const other = gateways.urls[1 - index]!;
      for (const token of tokens as string[])
        expect(await isAcceptedEverywhere(gateways.first, { userId: 'bob', token, url: other })).toBe(true);
    }
  }
  const open = await openConnections(gateways.first, { userId: 'bob', token: before[0]! });
  onTestFinished(() => open.close());
  await expire(old.key.keyId);
  for (const url of gateways.urls) {
    expect(await signIn(url, old.value)).toEqual([null, null]);
    expect(await signIn(url, next.value)).toEqual([expect.any(String), expect.any(String)]);
    // Sessions do not depend on the key that opened them.
    for (const token of before)
      expect(await isAcceptedEverywhere(gateways.first, { userId: 'bob', token, url })).toBe(true);
  }
  const end = await Promise.race([...Object.values(open.closed).map((closed) => closed.then(() => 'closed')), 'open']);
  expect(end).toBe('open');
}, 240_000);

test('a rotated server key and its successor are accepted over REST, GraphQL and streams of two gateways, until its end', async () => {
  const old = await change('createKey', { kind: 'SERVER', name: 'Backend' });
  const next = await change('rotateKey', { keyId: old.key.keyId, overlapHours: 1 });
  const accepted = [true, true, true];
  for (const url of gateways.urls) for (const { value } of [old, next]) expect(await use(url, value)).toEqual(accepted);
  await expire(old.key.keyId);
  for (const url of gateways.urls) {
    expect(await use(url, old.value)).toEqual([false, false, false]);
    expect(await use(url, next.value)).toEqual(accepted);
  }
}, 240_000);

test('a key that was retired on one gateway is refused by the other immediately', async () => {
  const { key, value } = await change('createKey', { kind: 'SERVER', name: 'Leaked' });
  expect(await use(gateways.urls[1], value)).toEqual([true, true, true]);
  await change('retireKey', { keyId: key.keyId }, 'key { keyId }');
  expect(await use(gateways.urls[1], value)).toEqual([false, false, false]);
});
