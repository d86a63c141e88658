import type { CommandStartedEvent } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
const commands: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  gateway.services.store.client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    commands.push(JSON.stringify(command));
  });
});
afterAll(() => gateway.close());
afterEach(async () => expect((await gateway.rest('/api/v3/posts/seedlings', { as: 'carol' })).status).toBe(200));

describe('over REST', () => {
  test('free data keeps operators and dotted keys as they came', async () => {
    const metadata = { $set: { isDeleted: true }, 'a.b': 1, $where: 'sleep(1000)' };
    const body = { targetType: 'user', targetId: 'alice', data: { text: 'x' }, metadata };
    const made = await gateway.rest('/api/v4/posts', { method: 'POST', body });
    expect([made.status, made.body.posts[0].metadata]).toEqual([200, metadata]);
  });

  test('free data nested beyond the limit is refused', async () => {
    for (const depth of [40, 200]) {
      const metadata = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const body = `{"targetType": "user", "targetId": "alice", "data": {"text": "x"}, "metadata": ${metadata}}`;
      expect([400, 422]).toContain((await gateway.rest('/api/v4/posts', { method: 'POST', body })).status);
    }
  });

  test('patterns in searches are text, and no command runs code', async () => {
    commands.length = 0;
    const before = process.cpuUsage().user;
    for (const word of ['^(a+)+$', '[', '.*', '\\', `(${'a'.repeat(20)}*)*b`]) {
      const { status, body } = await gateway.rest(`/api/v3/communities?keyword=${encodeURIComponent(word)}`);
      expect([word, status, body.communities]).toEqual([word, 200, []]);
    }
    expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
    for (const command of commands) expect(command).not.toMatch(/\$where|\$function|\$accumulator|mapReduce/);
  });

  test('lists sort and filter by what is listed alone', async () => {
    for (const query of ['sortBy=metadata', 'sortBy=passwordHash', 'filter=email', 'sortBy[$ne]=x']) {
      const { status, body } = await gateway.rest(`/api/v3/communities?${query}`);
      expect([query, status, body.code]).toEqual([query, 422, 500000]);
    }
  });

  test('a profile takes no roles, bans or permissions', async () => {
    const body = { displayName: 'Bob', roles: ['global-admin'], permissions: ['BAN_USER'], isGlobalBan: true };
    const { status } = await gateway.rest('/api/v3/users', { as: 'bob', method: 'PUT', body });
    expect(status).toBe(200);
    const { users } = (await gateway.rest('/api/v3/users/bob', { as: 'bob' })).body;
    expect(users[0]).toMatchObject({ isGlobalBan: false });
    expect(users[0].roles).not.toContain('global-admin');
    expect(users[0].permissions).not.toContain('BAN_USER');
  });

  test('parameters for debugging change nothing', async () => {
    commands.length = 0;
    const plain = await gateway.rest('/api/v3/community-categories');
    const debug = await gateway.rest('/api/v3/community-categories?explain=true&debug=1&$explain=1');
    expect(debug.body).toEqual(plain.body);
    for (const command of commands) expect(command).not.toContain('explain');
  });

  test('a ban leaves posts and files of everyone as they are', async () => {
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
