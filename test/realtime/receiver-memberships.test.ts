import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { type MqttEvent, mqttClient, type TestMqttClient } from '../support/mqtt-client.ts';
import { mutations } from '../support/mutate.ts';

/** Events of a community contain the membership of each receiver, without being rendered for each of them. */

let gateway: TestGateway;
let gardeners: string;
const open: TestMqttClient[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
  const community = await gateway.services.store.collections.communities.findOne({
    networkId: 'default',
    communityId: 'gardeners',
  });
  gardeners = community!._id.toHexString();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => gateway.close());

const execute = mutations(() => gateway);
async function mutate(as: string, operation: string, input: object) {
  const answer = await execute(as, operation, { communityId: 'gardeners', ...input }, 'clientMutationId');
  expect(answer.code, `${operation}: ${answer.message}`).toBeUndefined();
}

async function listen(as: string): Promise<TestMqttClient> {
  const client = await mqttClient(gateway, as);
  open.push(client);
  expect(await client.subscribe(`social/community/${gardeners}`)).toEqual([0]);
  return client;
}

const eventsOf = ({ events }: TestMqttClient, type: string): MqttEvent[] =>
  events.filter(({ eventType }) => eventType === type);

async function nextOf(client: TestMqttClient, type: string, work: () => Promise<unknown>): Promise<MqttEvent> {
  const before = eventsOf(client, type).length;
  await work();
  await waitFor(() => eventsOf(client, type).length > before);
  return eventsOf(client, type).at(-1)!;
}

/** Executions for events of a type while `work` runs, for all receivers. */
function countRuns(type: string): () => number {
  const runs = vi.spyOn(gateway.executor, 'run');
  onTestFinished(() => runs.mockRestore());
  return () =>
    runs.mock.calls.filter(([, { root }]) => {
      const { live } = (root ?? {}) as { live?: { event: { type: string } } };
      return live?.event.type === type;
    }).length;
}

/** The community and the viewer's membership as a query returns them. */
async function queried(as: string) {
  const { communities, communityUsers } = (await gateway.rest('/api/v3/communities/gardeners', { as })).body;
  const own = communityUsers.filter(({ userId }: { userId: string }) => userId === as);
  return { isJoined: communities[0].isJoined, own };
}

test('each receiver gets their own membership, and isJoined with it', async () => {
  const receivers = ['alice', 'bob', 'carol', 'erin', 'admin'];
  const clients = await Promise.all(receivers.map(listen));
  await mutate('newcomer', 'joinCommunity', {});
  await Promise.all(clients.map((client) => waitFor(() => eventsOf(client, 'community.joined').length === 1)));
  await mutate('alice', 'updateCommunity', { description: 'Beds, borders and "hedges"' });
  await Promise.all(clients.map((client) => waitFor(() => eventsOf(client, 'community.updated').length === 1)));
  for (const [index, as] of receivers.entries()) {
    const { isJoined, own } = await queried(as);
    const { communities, communityUsers } = eventsOf(clients[index]!, 'community.joined')[0]!.data;
    expect(communities, as).toMatchObject([{ communityId: 'gardeners', isJoined }]);
    expect(communityUsers, as).toEqual([expect.objectContaining({ userId: 'newcomer' }), ...own]);
    const { data } = eventsOf(clients[index]!, 'community.updated')[0]!;
    expect(data.communities, as).toMatchObject([{ description: 'Beds, borders and "hedges"', isJoined }]);
    expect(data.communityUsers, as).toEqual(own);
  }
  expect((await queried('bob')).own).toHaveLength(1);
  expect((await queried('erin')).isJoined).toBe(false);
});

test('the user whom the event is about gets their membership once', async () => {
  const erin = await listen('erin');
  const joined = await nextOf(erin, 'community.joined', () => mutate('erin', 'joinCommunity', {}));
  expect(joined.data.communities).toMatchObject([{ isJoined: true }]);
  expect(joined.data.communityUsers).toMatchObject([{ userId: 'erin', communityMembership: 'member' }]);
  const left = await nextOf(erin, 'community.left', () => mutate('erin', 'leaveCommunity', {}));
  expect(left.data.communities).toMatchObject([{ isJoined: false }]);
  expect(left.data.communityUsers).toMatchObject([{ userId: 'erin', communityMembership: 'none' }]);
  // A past membership is reported, too.
  const other = await nextOf(erin, 'community.joined', () => mutate('passer-by', 'joinCommunity', {}));
  expect(other.data.communityUsers).toMatchObject([
    { userId: 'passer-by' },
    { userId: 'erin', communityMembership: 'none' },
  ]);
});

test('a membership in an event has the permissions that its roles have by then', async () => {
  const bob = await listen('bob');
  const role = { displayName: 'Gardener', rank: 1, roleId: 'gardener', permissions: ['EDIT_COMMUNITY_POST'] };
  expect((await execute('admin', 'createRole', role, 'role { roleId }')).role).toEqual({ roleId: 'gardener' });
  await mutate('admin', 'addCommunityRoles', { roleIds: ['gardener'], userIds: ['bob'] });
  const permissions = async (description: string) => {
    const changed = await nextOf(bob, 'community.updated', () => mutate('alice', 'updateCommunity', { description }));
    return changed.data.communityUsers[0].permissions;
  };
  expect(await permissions('before')).toContain('EDIT_COMMUNITY_POST');
  await execute('admin', 'updateRole', { roleId: 'gardener', permissions: ['EDIT_COMMUNITY'] }, 'clientMutationId');
  const after = await permissions('after');
  expect([after.includes('EDIT_COMMUNITY_POST'), after.includes('EDIT_COMMUNITY')]).toEqual([false, true]);
});

test('an event is rendered once for all receivers with equal rights in the network', async () => {
  const users = ['bob', 'carol', 'heidi', 'mia'];
  const clients = await Promise.all(Array.from({ length: 20 }, (_, index) => listen(users[index % users.length]!)));
  const delivered = (count: number) =>
    waitFor(() => clients.every((client) => eventsOf(client, 'community.joined').length === count));
  const runs = countRuns('community.joined');
  await mutate('passer-by-1', 'joinCommunity', {});
  await delivered(1);
  // The event, and the memberships of its receivers in one batch.
  expect(runs()).toBe(2);
  await mutate('passer-by-2', 'joinCommunity', {});
  await delivered(2);
  expect(runs()).toBe(3);
  await mutate('passer-by-1', 'leaveCommunity', {});
  await mutate('passer-by-1', 'joinCommunity', {});
  await delivered(3);
  expect(runs()).toBe(4);
});
