import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { watch } from '../support/watch.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());
const mutate = mutations(() => gateway);

test('a member of one channel is not taken for somebody else in another, whatever their ids hold', async () => {
  for (const userId of ['p q', 'q', 'r']) await gateway.tokenOf(userId);
  const open = (channelId: string, userId: string) =>
    mutate(
      'r',
      'createChannel',
      { channelId, displayName: 'X', isPublic: false, userIds: [userId] },
      'clientMutationId',
    );
  const say = async (channelId: string) =>
    (await mutate('r', 'sendMessage', { channelId, data: { text: 'Hush' } }, 'chatMessage { path }')).chatMessage.path;
  await open('x', 'p q');
  await open('x p', 'p q');
  await open('q only', 'q');
  const [member, stranger] = [
    await watch(gateway, 'p q', 'message.created'),
    await watch(gateway, 'q', 'message.created'),
  ];
  const toMember: string[] = [];
  for (const channelId of ['x', 'x p']) {
    toMember.push((await say(channelId)).replace(`${gateway.networkId}/`, ''));
    await member.until(toMember.at(-1)!);
  }
  const own = (await say('q only')).replace(`${gateway.networkId}/`, '');
  await stranger.until(own);
  for (const paths of Object.values(member.paths())) expect(paths).toEqual(toMember);
  for (const paths of Object.values(stranger.paths())) expect(paths).toEqual([own]);
  member.stop();
  stranger.stop();
});
