import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

export const users: Area = {
  name: 'users',
  async run({ sdk, step, display, userId, second, subscribe }) {
    const { UserRepository } = sdk;
    await step('reads users by their ids', async () => {
      const { data } = await UserRepository.getUserByIds([userId, second.userId]);
      assert.deepEqual(data.map((user: Json) => user.userId).sort(), [userId, second.userId].sort());
    });
    await step('displays a user', async () => {
      const live = display((callback) => UserRepository.getUser(second.userId, callback));
      assert.equal((await live.loaded()).userId, second.userId);
    });
    await step('displays the users of the network', async () => {
      const live = display((callback) => UserRepository.getUsers({ limit: 3 }, callback));
      await live.until('three users were expected', (data) => data.length === 3);
    });
    await step('displays the next page of users', async () => {
      const live = display((callback) => UserRepository.getUsers({ limit: 3, sortBy: 'firstCreated' }, callback));
      const { length } = await live.until(
        'a first page was expected',
        (data) => data.length >= 3 && live.now!.hasNextPage,
      );
      live.now!.onNextPage!();
      await live.until('a second page was expected', (data) => data.length > length);
    });
    await step('finds a user by name', async () => {
      const live = display((callback) => UserRepository.searchUserByDisplayName({ displayName: 'ali' }, callback));
      await live.until('Alice was expected', (data) => data.some((user: Json) => user.userId === 'alice'));
    });
    await step('changes its own profile', async () => {
      const patch = { displayName: 'Ann the sailor', description: 'At sea', metadata: { boat: 'sloop' } };
      const { data } = await UserRepository.updateUser(userId, patch);
      assert.equal(data.displayName, patch.displayName);
      assert.deepEqual(data.metadata, patch.metadata);
    });
    await step('displays its own change', async () => {
      const live = display((callback) => UserRepository.getUser(userId, callback));
      await live.until('a first name was expected', (data) => data.displayName);
      await UserRepository.updateUser(userId, { displayName: 'Ann' });
      await live.until('the new name was expected', (data) => data.displayName === 'Ann');
    });
    await step("displays another user's change", async () => {
      const live = display((callback) => UserRepository.getUser(second.userId, callback));
      await subscribe(sdk.getUserTopic(await live.loaded()));
      await second.put('/api/v3/users', { userId: second.userId, displayName: 'Ben the cook' });
      await live.until('the new name was expected', (data) => data.displayName === 'Ben the cook');
    });
    await step('reports a user', async () => assert.equal(await UserRepository.flagUser(second.userId), true));
    await step('knows that it reported a user', async () => {
      assert.equal(await UserRepository.isUserFlaggedByMe(second.userId), true);
    });
    await step('withdraws the report of a user', async () => {
      assert.equal(await UserRepository.unflagUser(second.userId), true);
      assert.equal(await UserRepository.isUserFlaggedByMe(second.userId), false);
    });
    await step('reports a user by the general function', async () => {
      assert.equal(await sdk.createReport('user', second.userId), true);
      assert.equal(await sdk.isReportedByMe('user', second.userId), true);
      assert.equal(await sdk.deleteReport('user', second.userId), true);
    });
    await step('lists the roles', async () => {
      const { data } = await sdk.queryRoles();
      assert.ok(data.length > 0, 'no roles');
    });
    await step('reads a role', async () => {
      const { data: roles } = await sdk.queryRoles();
      const { data } = await sdk.getRole(roles[0].roleId);
      assert.equal(data.roleId, roles[0].roleId);
    });
    const client = sdk.Client.getActiveClient();
    if (!client.hasPermission) return;
    await step('knows its permissions', async () => {
      assert.equal(client.hasPermission('BAN_USER').currentUser(), false);
    });
  },
};
