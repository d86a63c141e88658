import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { expectServing, startAttackedGateway } from './attacked-gateway.ts';

let gateway: TestGateway;
let commands: string[];
beforeAll(async () => {
  ({ gateway, commands } = await startAttackedGateway());
});
afterAll(() => gateway.close());
afterEach(() => expectServing(gateway));

describe('over REST', () => {
  test('stores operators and dotted keys in free-form data unchanged', async () => {
    const metadata = { $set: { isDeleted: true }, 'a.b': 1, $where: 'sleep(1000)' };
    const body = { targetType: 'user', targetId: 'alice', data: { text: 'x' }, metadata };
    const created = await gateway.rest('/api/v4/posts', { method: 'POST', body });
    expect([created.status, created.body.posts[0].metadata]).toEqual([200, metadata]);
  });

  test('rejects free-form data nested beyond the limit', async () => {
    for (const depth of [40, 200]) {
      const metadata = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const body = `{"targetType": "user", "targetId": "alice", "data": {"text": "x"}, "metadata": ${metadata}}`;
      expect([400, 422]).toContain((await gateway.rest('/api/v4/posts', { method: 'POST', body })).status);
    }
  });

  test('treats patterns in searches as text, and runs no code in the database', async () => {
    commands.length = 0;
    const before = process.cpuUsage().user;
    for (const word of ['^(a+)+$', '[', '.*', '\\', `(${'a'.repeat(20)}*)*b`]) {
      const { status, body } = await gateway.rest(`/api/v3/communities?keyword=${encodeURIComponent(word)}`);
      expect([word, status, body.communities]).toEqual([word, 200, []]);
    }
    expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
    for (const command of commands) expect(command).not.toMatch(/\$where|\$function|\$accumulator|mapReduce/);
  });

  test('rejects sorting and filtering by fields that are not documented', async () => {
    for (const query of ['sortBy=metadata', 'sortBy=passwordHash', 'filter=email', 'sortBy[$ne]=x']) {
      const { status, body } = await gateway.rest(`/api/v3/communities?${query}`);
      expect([query, status, body.code]).toEqual([query, 422, 500000]);
    }
  });

  test('ignores roles, bans and permissions in a profile update', async () => {
    const body = { displayName: 'Bob', roles: ['global-admin'], permissions: ['BAN_USER'], isGlobalBan: true };
    const { status } = await gateway.rest('/api/v3/users', { as: 'bob', method: 'PUT', body });
    expect(status).toBe(200);
    const { users } = (await gateway.rest('/api/v3/users/bob', { as: 'bob' })).body;
    expect(users[0]).toMatchObject({ isGlobalBan: false });
    expect(users[0].roles).not.toContain('global-admin');
    expect(users[0].permissions).not.toContain('BAN_USER');
  });

  test('ignores debugging parameters', async () => {
    commands.length = 0;
    const plain = await gateway.rest('/api/v3/community-categories');
    const debug = await gateway.rest('/api/v3/community-categories?explain=true&debug=1&$explain=1');
    expect(debug.body).toEqual(plain.body);
    for (const command of commands) expect(command).not.toContain('explain');
  });

  test('leaves all posts, comments and files unchanged after a ban', async () => {
    const { posts, files, comments } = gateway.services.store.collections;
    const records = async () =>
      Promise.all(
        ([posts, files, comments] as (typeof posts)[]).map((collection) =>
          collection.find({ networkId: 'default' }).sort({ _id: 1 }).project({ isDeleted: 1 }).toArray(),
        ),
      );
    const before = await records();
    const banned = await mutations(gateway)('admin', 'banUser', { userId: 'kim' }, 'user { isGlobalBan }');
    expect(banned).toMatchObject({ user: { isGlobalBan: true } });
    expect(await records()).toEqual(before);
  });
});
