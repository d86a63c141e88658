import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, successfulMutations } from '../support/mutate.ts';

/** Compares the `viewerCan…` fields of channels about members with the outcome of the operations. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const change = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

const CHANNELS = [
  ['a standard channel', 'seed-exchange', 'erin'],
  ['the channel of a community', 'gardeners-chat', 'grace'],
  ['a conversation', 'alice-and-bob', 'bob'],
] as const;

test.each(CHANNELS)('the fields about members of %s agree with the operations', async (_, channelId, member) => {
  const onMember = { channelId, userIds: [member] };
  for (const person of ['alice', 'carol', 'kim', 'admin']) {
    const query = `{ channel(channelId: "${channelId}") {
      viewerCanAssignRoles viewerCanMuteMembers viewerCanBanMembers } }`;
    const { channel } = await ask(gateway, query, { as: person });
    const outcomeOf = async (operation: string, input: object): Promise<boolean> =>
      !(await change(person, operation, { ...onMember, ...input }, '__typename')).code;
    const outcome = {
      viewerCanAssignRoles: await outcomeOf('addChannelRole', { role: 'channel-moderator' }),
      viewerCanMuteMembers: await outcomeOf('muteChannelMembers', { mutePeriod: 1_000 }),
      viewerCanBanMembers: await outcomeOf('banChannelMembers', {}),
    };
    // A conversation is invisible to others.
    expect([person, channel ?? { ...outcome, ...NONE }]).toEqual([person, outcome]);
    if (outcome.viewerCanBanMembers) {
      await succeed('admin', 'unbanChannelMembers', onMember);
      await succeed('admin', 'addChannelMembers', onMember);
    } else if (outcome.viewerCanAssignRoles) {
      await succeed('admin', 'removeChannelRole', { ...onMember, role: 'channel-moderator' });
    }
  }
});

const NONE = { viewerCanAssignRoles: false, viewerCanMuteMembers: false, viewerCanBanMembers: false };

test('nobody can change the members of a deleted channel', async () => {
  const created = await succeed('alice', 'createChannel', { displayName: 'Ended' }, 'channel { channelId }');
  const { channelId } = created.channel;
  await succeed('alice', 'deleteChannel', { channelId });
  const query = `{ channel(channelId: "${channelId}") { ${Object.keys(NONE).join(' ')} } }`;
  expect(await ask(gateway, query, { as: 'admin' })).toEqual({ channel: NONE });
});
