import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/mutate.ts';

/** A role of the sample network. */
const ROLE = 'seed-librarian';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CACHE_MB: '0', ANSWER_CACHE_MB: '0' });
});
afterAll(() => gateway.close());

/** The ids of the roles that requests read, by command. */
async function rolesReadBy(work: () => Promise<unknown>): Promise<unknown[]> {
  const filters: unknown[] = [];
  const note = ({ command }: CommandStartedEvent) => {
    if (command.find === 'roles') filters.push(command.filter.roleId);
  };
  const { client } = gateway.services.store;
  client.on('commandStarted', note);
  try {
    await work();
  } finally {
    client.off('commandStarted', note);
  }
  return filters;
}

test('without a cache, a request reads the roles that its users hold, not all roles of the network', async () => {
  const { networkId } = gateway;
  await gateway.services.store.collections.users.updateOne({ networkId, userId: 'bob' }, { $set: { roles: [ROLE] } });
  const read = await rolesReadBy(async () => {
    const { user } = await ask(gateway, '{ user(userId: "bob") { permissions } }', { as: 'bob' });
    expect(user.permissions).toEqual(expect.arrayContaining([expect.any(String)]));
  });
  expect(read.length).toBeGreaterThan(0);
  for (const roleIds of read) expect(roleIds).toBe(ROLE);
});
