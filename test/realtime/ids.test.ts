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

test('ids with spaces do not mix up members of different channels', async () => {
  for (const userId of ['p q', 'q', 'r']) await gateway.tokenOf(userId);
  const createChannel = (channelId: string, userId: string) =>
    mutate(
      'r',
      'createChannel',
      { channelId, displayName: 'X', isPublic: false, userIds: [userId] },
      'clientMutationId',
    );
  const sendMessage = async (channelId: string) =>
    (await mutate('r', 'sendMessage', { channelId, data: { text: 'Hush' } }, 'chatMessage { path }')).chatMessage.path;
  await createChannel('x', 'p q');
  await createChannel('x p', 'p q');
  await createChannel('q only', 'q');
  const [member, stranger] = [
    await watch(gateway, 'p q', 'message.created'),
    await watch(gateway, 'q', 'message.created'),
  ];
  const toMember: string[] = [];
  for (const channelId of ['x', 'x p']) {
    toMember.push((await sendMessage(channelId)).replace(`${gateway.networkId}/`, ''));
    await member.until(toMember.at(-1)!);
  }
  const own = (await sendMessage('q only')).replace(`${gateway.networkId}/`, '');
  await stranger.until(own);
  for (const paths of Object.values(member.paths())) expect(paths).toEqual(toMember);
  for (const paths of Object.values(stranger.paths())) expect(paths).toEqual([own]);
  member.stop();
  stranger.stop();
});
