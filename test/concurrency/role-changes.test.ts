import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Payload, successfulMutations } from '../support/mutate.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

const ROUNDS = 10;
const ASSIGN = `mutation { assignNetworkRoles(input: { userId: "bob", roleIds: ["librarian"] }) {
  ... on AssignNetworkRolesPayload { user { userId } }
} }`;
const EDIT = `mutation { updateUser(input: { userId: "carol", description: "Grows leeks" }) {
  ... on OperationError { code }
} }`;

async function send(url: string, headers: Record<string, string>, query: string): Promise<Payload> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as Payload).data;
}

describe.each([
  ['with a record cache', {}],
  ['without one', { CACHE_MB: '0', ANSWER_CACHE_MB: '0' }],
])('%s', (_, env) => {
  let gateways: TwoGateways;
  beforeAll(async () => {
    gateways = await startTwoGateways(env);
    const succeed = successfulMutations(gateways.first);
    const role = { roleId: 'librarian', displayName: 'Librarian', permissions: [], rank: 20 };
    await succeed('admin', 'createRole', role);
    await send(gateways.urls[0], { 'x-server-key': gateways.first.keys.SERVER_KEY }, ASSIGN);
  }, 240_000);
  afterAll(() => gateways.close());

  const asBob = async (url: string, query: string) =>
    send(url, { authorization: `Bearer ${await gateways.first.tokenOf('bob')}` }, query);
  const permissionsAt = async (url: string): Promise<string[]> =>
    (await asBob(url, '{ user(userId: "bob") { permissions } }')).user.permissions;
  test('changed permissions of a role apply to the next request at both gateways', async () => {
    const change = successfulMutations(gateways.first);
    for (let round = 0; round < ROUNDS; round += 1) {
      const permissions = round % 2 === 0 ? ['EDIT_USER'] : [];
      // Both processes have the earlier permissions in memory.
      await Promise.all(gateways.urls.map(permissionsAt));
      await change('admin', 'updateRole', { roleId: 'librarian', permissions });
      for (const url of gateways.urls) {
        const { updateUser } = await asBob(url, EDIT);
        expect(updateUser.code).toBe(permissions.length > 0 ? undefined : 'PERMISSION_DENIED');
        expect(await permissionsAt(url)).toEqual(permissions);
      }
    }
  }, 120_000);
});
