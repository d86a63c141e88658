import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { get, post, TRANSPORTS, websocket } from '../support/graphql-requests.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const QUERY = 'query ($first: Int) { users(first: $first) { edges { node { userId displayName } } } }';
const LIMITS = { limit: OPERATION_LIMITS.cost, depthLimit: OPERATION_LIMITS.depth };
const COST = { cost: true };

describe.each(TRANSPORTS)('over %s', (_, send) => {
  test('reports the cost, the depth and the fields of an operation with their limits', async () => {
    const { data, extensions } = await send(gateway, { query: '{ viewer { userId } }', extensions: COST });
    expect(data).toEqual({ viewer: { userId: 'alice' } });
    expect(extensions).toEqual({ cost: { total: 1.1, depth: 2, fields: 2, ...LIMITS } });
  });

  test('reports nothing by default', async () => {
    for (const extensions of [undefined, {}, { cost: 'yes' }]) {
      const answer = await send(gateway, { query: '{ viewer { userId } }', ...(extensions && { extensions }) });
      expect(answer.extensions).toBeUndefined();
    }
  });

  test('reports the cost of a repeated query, with its variables', async () => {
    const costs = [];
    for (const first of [5, 5, 10, 5]) {
      const { extensions } = await send(gateway, { query: QUERY, variables: { first }, extensions: COST });
      costs.push(extensions.cost.total);
    }
    expect(costs[1]).toBe(costs[0]);
    expect(costs[3]).toBe(costs[0]);
    expect(costs[2]).toBeGreaterThan(1.8 * costs[0]);
    expect((await send(gateway, { query: QUERY, variables: { first: 5 } })).extensions).toBeUndefined();
  });
});

test.each([
  ['POST', post],
  ['GET', get],
])('reports the cost for the header over %s', async (_, send) => {
  const headers = { 'x-graphql-cost': 'include' };
  const { extensions } = await send(gateway, { query: '{ viewer { userId } }' }, headers);
  expect(extensions.cost.total).toBe(1.1);
});

test('reports the cost of a mutation', async () => {
  const query = 'mutation { followUser(input: { userId: "nobody" }) { __typename } }';
  for (const send of [post, websocket])
    expect((await send(gateway, { query, extensions: COST })).extensions.cost.total).toBeGreaterThanOrEqual(1_000);
});

test('reports the cost of an operation that is refused for it', async () => {
  const query =
    '{ viewer { channels(first: 100) { edges { node { messages(first: 100) { edges { node { id author { id roles metadata } } } } } } } } }';
  const { status, errors, extensions } = await post(gateway, { query, extensions: COST });
  expect([status, errors?.[0]?.extensions?.code]).toEqual([413, 'TOO_LARGE']);
  expect(extensions.cost.total).toBeGreaterThan(extensions.cost.limit);
});

test('reports the cost of an operation with errors', async () => {
  const { errors, extensions } = await post(gateway, {
    query: '{ users(first: 101) { edges { cursor } } }',
    extensions: COST,
  });
  expect(errors).toHaveLength(1);
  expect(extensions.cost.total).toBeGreaterThan(1);
});
