import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ AUDIT_DAYS: '30' });
});
afterAll(() => gateway.close());

interface Entry {
  action: string;
  actorId: string | null;
  subjectType: string;
  subjectId: string;
  affectedUserId: string | null;
  details: object;
  transport: string;
  address: string | null;
}

/** Entries that a filter selects, newest first. */
async function entries(filter: string, as = 'admin'): Promise<Entry[]> {
  const query = `{ auditLog(first: 50, filter: { ${filter} }) { edges { node {
    action actorId subjectType subjectId affectedUserId details transport address } } } }`;
  const { data } = await gateway.graphql<{ auditLog: { edges: Array<{ node: Entry }> } }>(query, { as });
  return data!.auditLog.edges.map(({ node }) => node);
}

const mutate = async (input: string, as = 'admin') => {
  const { data, errors } = await gateway.graphql(`mutation { ${input} { __typename } }`, { as });
  expect(errors).toBeUndefined();
  return data;
};

test('an act names who acted, what it concerned, and where it came from', async () => {
  await mutate('updateUser(input: { userId: "bob", description: "Edited by a moderator." })');
  expect(await entries('action: "updateUser", affectedUserId: "bob"')).toEqual([
    {
      action: 'updateUser',
      actorId: 'admin',
      subjectType: 'USER',
      subjectId: 'bob',
      affectedUserId: 'bob',
      details: { fields: ['description'] },
      transport: 'GRAPHQL',
      address: '127.0.0.1',
    },
  ]);
});

test('an act over REST has the name of its mutation', async () => {
  await gateway.rest('/api/v3/users', {
    as: 'admin',
    method: 'PUT',
    body: { userId: 'carol', description: 'Edited over REST.' },
  });
  expect(await entries('affectedUserId: "carol"')).toMatchObject([{ action: 'updateUser', transport: 'REST' }]);
});

test('acts by right of ownership and acts that change nothing have no entry', async () => {
  await mutate('updateUser(input: { userId: "dave", description: "My own words." })', 'dave');
  await mutate('updateUser(input: { userId: "dave", description: "My own words." })', 'admin');
  expect(await entries('affectedUserId: "dave"')).toEqual([]);
});

test('a repeated act with an idempotency key has one entry', async () => {
  const input = 'updateUser(input: { userId: "erin", description: "Once.", clientMutationId: "audit-once" })';
  await mutate(input);
  await mutate(input);
  expect(await entries('affectedUserId: "erin"')).toHaveLength(1);
});

test('entries are selected by time', async () => {
  await mutate('updateUser(input: { userId: "frank", description: "Timed." })');
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  expect(await entries(`affectedUserId: "frank", from: "${at(-5)}", to: "${at(5)}"`)).toHaveLength(1);
  expect(await entries(`affectedUserId: "frank", from: "${at(5)}"`)).toEqual([]);
  expect(await entries(`affectedUserId: "frank", to: "${at(-5)}"`)).toEqual([]);
});

test('users who do not control all access see no entry', async () => {
  await mutate('updateUser(input: { userId: "grace", description: "Seen by few." })');
  expect(await entries('affectedUserId: "grace"', 'alice')).toEqual([]);
});

test('entries expire after AUDIT_DAYS', async () => {
  await mutate('updateUser(input: { userId: "heidi", description: "For thirty days." })');
  const { auditEntries } = gateway.services.store.collections;
  const entry = await auditEntries.findOne({ networkId: gateway.networkId, affectedUserId: 'heidi' });
  expect(entry!.expiresAt!.getTime() - entry!.createdAt.getTime()).toBe(30 * 86_400_000);
});
