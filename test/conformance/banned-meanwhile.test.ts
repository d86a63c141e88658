import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

/** The answer to a write that has passed its permission check when `happens` takes place. */
async function meanwhile<Answer>(key: string, write: () => Promise<Answer>, happens: () => Promise<unknown>) {
  const [answer] = await whileLocked({
    store: gateway.services.store,
    key,
    start: () => [write()],
    happens: async () => expect(await happens()).not.toHaveProperty('code'),
  });
  return answer;
}

test('rejects a reaction whose user is banned from the community before the reaction is written', async () => {
  await gateway.tokenOf('bob');
  const answer = await meanwhile(
    `post ${gateway.networkId} seedlings`,
    () =>
      mutate(
        'bob',
        'addReaction',
        { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'late' },
        'reaction { reactionId }',
      ),
    () => mutate('alice', 'banCommunityMembers', { communityId: 'gardeners', userIds: ['bob'] }, '__typename'),
  );
  expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  const { reactions } = gateway.services.store.collections;
  expect(await reactions.countDocuments({ networkId: gateway.networkId, reactionName: 'late' })).toBe(0);
});

const onFeed = { targetType: 'USER', targetId: 'leo', data: { text: 'Hi' } };
const ENDS = [
  ['whose user is no longer a follower', 'removeFollower', 'NOT_FOUND'],
  ['whose user is blocked', 'blockUser', 'FORBIDDEN'],
] as const;

test.each(ENDS)(
  'rejects a comment and a reaction on a private feed %s before they are written',
  async (_, end, code) => {
    await mutate('admin', 'updateSocialSettings', { userPrivacySetting: 'PRIVATE' }, '__typename');
    await mutate('leo', 'unblockUser', { userId: 'kim' }, '__typename');
    const { post } = await mutate('leo', 'createPost', onFeed, 'post { postId }');
    const writes = [
      ['createComment', { referenceId: post.postId, data: { text: 'late' } }],
      ['addReaction', { referenceType: 'POST', referenceId: post.postId, reactionName: 'late' }],
    ] as const;
    for (const [operation, input] of writes) {
      await mutate('leo', 'unblockUser', { userId: 'kim' }, '__typename');
      await mutate('kim', 'followUser', { userId: 'leo' }, '__typename');
      await mutate('leo', 'acceptFollower', { userId: 'kim' }, '__typename');
      const answer = await meanwhile(
        `post ${gateway.networkId} ${post.postId}`,
        () => mutate('kim', operation, input, '__typename'),
        () => mutate('leo', end, { userId: 'kim' }, '__typename'),
      );
      expect(answer, operation).toMatchObject({ code });
    }
    const stored = await gateway.services.store.collections.posts.findOne({
      networkId: gateway.networkId,
      postId: post.postId,
    });
    expect(stored).toMatchObject({ commentsCount: 0, reactionsCount: 0 });
  },
);

test('rejects a reaction to a message whose user is banned from the channel before the reaction is written', async () => {
  await gateway.tokenOf('carol');
  const opened = { channelId: 'talk', displayName: 'Talk', userIds: ['carol'] };
  await mutate('alice', 'createChannel', opened, '__typename');
  const messageInput = { channelId: 'talk', data: { text: 'Hi' } };
  const { messageId } = (await mutate('alice', 'sendMessage', messageInput, 'chatMessage { messageId }')).chatMessage;
  const answer = await meanwhile(
    `message ${gateway.networkId} ${messageId}`,
    () =>
      mutate(
        'carol',
        'addReaction',
        { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'late' },
        'reaction { reactionId }',
      ),
    () => mutate('alice', 'banChannelMembers', { channelId: 'talk', userIds: ['carol'] }, '__typename'),
  );
  expect(answer).toMatchObject({ code: 'FORBIDDEN' });
});

const ADDITIONS = [
  ['createChannel', 'channel late-channel', { channelId: 'late-channel', displayName: 'Late', userIds: ['heidi'] }],
  ['createConversation', 'user bob', { userIds: ['heidi'] }],
  ['addChannelMembers', 'channel bob-channel', { channelId: 'bob-channel', userIds: ['heidi'] }],
] as const;

test.each(ADDITIONS)(
  '%s rejects a user who is banned from the network before it is written',
  async (operation, lock, input) => {
    await mutate('admin', 'unbanUser', { userId: 'heidi' }, '__typename');
    await mutate('bob', 'createChannel', { channelId: 'bob-channel', displayName: 'Bob' }, '__typename');
    const { networkId } = gateway;
    const [kind, id] = lock.split(' ');
    const answer = await meanwhile(
      `${kind} ${networkId} ${id}`,
      () => mutate('bob', operation, input, '__typename'),
      () => mutate('admin', 'banUser', { userId: 'heidi' }, '__typename'),
    );
    expect(answer).toMatchObject({ code: 'NOT_FOUND' });
    // A ban that has ended counts no longer, before that is stored.
    const { users } = gateway.services.store.collections;
    const ended = { expiresAt: new Date(Date.now() - 1_000), reason: null, bannedBy: 'admin', bannedAt: new Date(0) };
    await users.updateOne({ networkId, userId: 'heidi' }, { $set: { ban: ended } });
    expect(await mutate('bob', operation, input, '__typename')).not.toHaveProperty('code');
  },
);

test('no user who is banned from the network becomes a member of a community', async () => {
  await gateway.tokenOf('heidi');
  await mutate('admin', 'unbanUser', { userId: 'heidi' }, '__typename');
  const input = { displayName: 'Closed', isPublic: false };
  const { communityId } = (await mutate('bob', 'createCommunity', input, 'community { communityId }')).community;
  const { joinRequest } = await mutate('heidi', 'joinCommunity', { communityId }, 'joinRequest { joinRequestId }');
  const added = await meanwhile(
    `community ${gateway.networkId} ${communityId}`,
    () => mutate('bob', 'addCommunityMembers', { communityId, userIds: ['carol', 'heidi'] }, '__typename'),
    () => mutate('admin', 'banUser', { userId: 'heidi' }, '__typename'),
  );
  const created = await mutate('bob', 'createCommunity', { displayName: 'Late', userIds: ['heidi'] }, '__typename');
  const approval = { communityId, userId: 'heidi' };
  const approved = await mutate('bob', 'approveJoinRequest', approval, '__typename');
  for (const answer of [added, created, approved]) expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  expect(joinRequest).not.toBeNull();
  const { communities, communityUsers } = gateway.services.store.collections;
  const { networkId } = gateway;
  expect(await communityUsers.countDocuments({ networkId, communityId, userId: { $in: ['carol', 'heidi'] } })).toBe(0);
  expect(await communities.countDocuments({ networkId, displayName: 'Late' })).toBe(0);
});
