import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, mutate, mutations } from '../support/mutate.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

const ROUNDS = 10;
/** A role of the sample network. */
const ROLE = 'seed-librarian';

describe.each([
  ['with a record cache', {}],
  ['without one', { CACHE_MB: '0', ANSWER_CACHE_MB: '0' }],
])('%s', (_, env) => {
  let gateways: TwoGateways;
  beforeAll(async () => {
    gateways = await startTwoGateways(env);
    const { networkId } = gateways.first;
    const { users } = gateways.store.collections;
    await users.updateOne({ networkId, userId: 'bob' }, { $set: { roles: [ROLE] } });
  }, 240_000);
  afterAll(() => gateways.close());

  const permissionsAt = async (url: string): Promise<string[]> =>
    (await ask(gateways.at(url), '{ user(userId: "bob") { permissions } }', { as: 'bob' })).user.permissions;
  const editAt = (url: string) =>
    mutate(
      gateways.at(url),
      'updateUser',
      { userId: 'carol', description: 'Grows leeks' },
      {
        select: 'user { userId }',
        as: 'bob',
      },
    );

  test('changed permissions of a role apply to the next request at both gateways', async () => {
    const change = mutations(gateways.first);
    for (let round = 0; round < ROUNDS; round += 1) {
      const permissions = round % 2 === 0 ? ['EDIT_USER'] : [];
      // Both processes have the earlier permissions in memory.
      await Promise.all(gateways.urls.map(permissionsAt));
      const changed = await change('admin', 'updateRole', { roleId: ROLE, permissions }, 'role { permissions }');
      expect(changed.role).toEqual({ permissions });
      for (const url of gateways.urls) {
        expect((await editAt(url)).code).toBe(permissions.length > 0 ? undefined : 'PERMISSION_DENIED');
        expect(await permissionsAt(url)).toEqual(permissions);
      }
    }
  }, 120_000);
});
