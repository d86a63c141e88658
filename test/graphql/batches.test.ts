import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const follow = { query: 'mutation { followUser(input: { userId: "bob" }) { __typename } }' };

test.each([
  ['one operation', [{ query: '{ viewer { userId } }' }]],
  ['several operations', [follow, { query: '{ viewer { userId } }' }]],
  ['no operation', []],
])('refuses a list of %s with a typed error, and executes none', async (_, body) => {
  const headers = {
    authorization: `Bearer ${await gateway.tokenOf('alice')}`,
    'content-type': 'application/json',
    accept: '*/*',
  };
  const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    errors: [
      {
        message: 'Batches of operations are not supported: send each operation in a request of its own.',
        extensions: { code: 'BAD_REQUEST' },
      },
    ],
  });
  const { follows } = gateway.services.store.collections;
  const { networkId } = gateway;
  expect(await follows.countDocuments({ networkId, userId: 'alice', followedUserId: 'bob' })).toBe(0);
});
