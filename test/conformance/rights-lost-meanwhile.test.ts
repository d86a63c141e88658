import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PERMISSIONS } from '../../src/access/permissions.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';

/**
 * Kim moderates by a role in the network, a community or a channel, and loses the role between the check of a request and
 * its transaction.
 */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

const CHANNEL = 'beds';

/** Records of others, by the names that the table uses. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  gateway = await openTestNetwork();
  const inGardeners = { targetType: 'COMMUNITY', targetId: 'gardeners' };
  const data = { text: 'Mulch' };
  const postBy = async (as: string, target: object) =>
    (await succeed(as, 'createPost', { ...target, data }, 'post { postId }')).post.postId as string;
  ids.post = await postBy('bob', inGardeners);
  ids.pinned = await postBy('bob', inGardeners);
  ids.postOnFeed = await postBy('bob', { targetType: 'USER', targetId: 'bob' });
  await succeed('admin', 'updateCommunity', { communityId: 'gardeners', needApprovalOnPostCreation: true });
  ids.waiting = await postBy('bob', inGardeners);
  await succeed('admin', 'updateCommunity', { communityId: 'gardeners', needApprovalOnPostCreation: false });
  await succeed('admin', 'pinPost', { communityId: 'gardeners', placement: 'DEFAULT', postId: ids.pinned });
  const { comment } = await succeed('bob', 'createComment', { referenceId: ids.post, data }, 'comment { commentId }');
  ids.comment = comment.commentId;
  const { story } = await succeed(
    'alice',
    'createStory',
    { ...inGardeners, dataType: 'TEXT', data },
    'story { storyId }',
  );
  ids.story = story.storyId;
  const created = { channelId: CHANNEL, displayName: 'Beds', userIds: ['carol', 'erin', 'kim', 'dave'] };
  await succeed('grace', 'createChannel', created);
  await succeed('grace', 'addChannelRole', { channelId: CHANNEL, userIds: ['carol'], role: 'channel-moderator' });
  await succeed('grace', 'banChannelMembers', { channelId: CHANNEL, userIds: ['dave'] });
  const sent = { channelId: CHANNEL, data };
  ids.message = (await succeed('erin', 'sendMessage', sent, 'chatMessage { messageId }')).chatMessage.messageId;
  const feed = { channelId: CHANNEL, name: 'Bulbs' };
  ids.feed = (
    await succeed('carol', 'createMessageFeed', feed, 'messageFeed { messageFeedId }')
  ).messageFeed.messageFeedId;
  const poll = { question: 'When?', answers: [{ data: 'Now' }, { data: 'Later' }] };
  ids.poll = (await succeed('bob', 'createPoll', poll, 'poll { pollId }')).poll.pollId;
  await succeed('carol', 'flagPost', { postId: ids.post });
  await succeed('carol', 'flagComment', { commentId: ids.comment });
  await succeed('carol', 'flagStory', { storyId: ids.story });
  await succeed('carol', 'flagMessage', { messageId: ids.message });
  await succeed('carol', 'flagUser', { userId: 'bob' });
  await gateway.tokenOf('kim');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => gateway.close());

const inCommunity = { communityId: 'gardeners', userIds: ['kim'], roleIds: ['community-moderator'] };
const inChannel = { channelId: CHANNEL, userIds: ['kim'], role: 'channel-moderator' };
const inNetwork = { userId: 'kim', roleIds: ['global-admin'] };

/** How Kim gets and loses the right. */
const ROLES = {
  network: ['addUserRoles', 'removeUserRoles', inNetwork],
  community: ['addCommunityRoles', 'removeCommunityRoles', inCommunity],
  channel: ['addChannelRole', 'removeChannelRole', inChannel],
} as const;
type By = keyof typeof ROLES;

type Operation = readonly [operation: string, input: () => object];
const community = (more: object = {}) => ({ communityId: 'gardeners', ...more });
const channel = (more: object = {}) => ({ channelId: CHANNEL, ...more });

const IN_COMMUNITY: Operation[] = [
  ['updatePost', () => ({ postId: ids.post, data: { text: 'Late' } })],
  ['deletePost', () => ({ postId: ids.post })],
  ['clearPostFlags', () => ({ postId: ids.post })],
  ['approvePost', () => ({ postId: ids.waiting })],
  ['declinePost', () => ({ postId: ids.waiting })],
  ['pinPost', () => community({ placement: 'DEFAULT', postId: ids.post })],
  ['unpinPost', () => community({ placement: 'DEFAULT', postId: ids.pinned })],
  ['updateComment', () => ({ commentId: ids.comment, data: { text: 'Late' } })],
  ['deleteComment', () => ({ commentId: ids.comment })],
  ['clearCommentFlags', () => ({ commentId: ids.comment })],
  ['deleteStory', () => ({ storyId: ids.story })],
  ['clearStoryFlags', () => ({ storyId: ids.story })],
  ['resolveModerationItem', () => ({ kind: 'POST', itemId: ids.post, action: 'DELETE' })],
  ['addCommunityMembers', () => community({ userIds: ['erin'] })],
  ['removeCommunityMembers', () => community({ userIds: ['bob'] })],
  ['banCommunityMembers', () => community({ userIds: ['bob'] })],
  ['addCommunityRoles', () => community({ userIds: ['bob'], roleIds: ['community-moderator'] })],
  ['updateCommunity', () => community({ displayName: 'Late' })],
  ['deleteCommunity', () => community()],
];

const IN_CHANNEL: Operation[] = [
  ['updateMessage', () => ({ messageId: ids.message, data: { text: 'Late' } })],
  ['deleteMessage', () => ({ messageId: ids.message })],
  ['clearMessageFlags', () => ({ messageId: ids.message })],
  ['addChannelMembers', () => channel({ userIds: ['bob'] })],
  ['removeChannelMembers', () => channel({ userIds: ['erin'] })],
  ['banChannelMembers', () => channel({ userIds: ['erin'] })],
  ['unbanChannelMembers', () => channel({ userIds: ['dave'] })],
  ['muteChannelMembers', () => channel({ userIds: ['erin'], mutePeriod: -1 })],
  ['addChannelRole', () => channel({ userIds: ['erin'], role: 'channel-moderator' })],
  ['removeChannelRole', () => channel({ userIds: ['carol'], role: 'channel-moderator' })],
  ['muteChannel', () => channel({ mutePeriod: -1 })],
  ['setChannelRateLimit', () => channel({ rateLimit: 1 })],
  ['updateChannel', () => channel({ displayName: 'Late' })],
  ['deleteChannel', () => channel()],
  ['createMessageFeed', () => channel({ name: 'Late' })],
  ['updateMessageFeed', () => ({ messageFeedId: ids.feed, name: 'Late' })],
  ['deleteMessageFeed', () => ({ messageFeedId: ids.feed })],
];

const IN_NETWORK: Operation[] = [
  ['deletePost', () => ({ postId: ids.postOnFeed })],
  ['clearUserFlags', () => ({ userId: 'bob' })],
  ['updateFile', () => ({ fileId: 'avatar-alice', altText: 'Late' })],
  ['deleteFile', () => ({ fileId: 'avatar-alice' })],
  ['updatePoll', () => ({ pollId: ids.poll, title: 'Late' })],
  ['deletePoll', () => ({ pollId: ids.poll })],
  ['createCategory', () => ({ name: 'Late' })],
  ['updateCategory', () => ({ categoryId: 'flowers', name: 'Late' })],
  ['deleteCategory', () => ({ categoryId: 'flowers' })],
];

const CASES = [
  ...[...IN_COMMUNITY, ...IN_CHANNEL, ...IN_NETWORK].map((one) => ({ by: 'network' as By, one })),
  ...IN_COMMUNITY.map((one) => ({ by: 'community' as By, one })),
  ...IN_CHANNEL.map((one) => ({ by: 'channel' as By, one })),
].map(({ by, one: [operation, input] }) => ({ by, operation, input }));

/** Everything that the operations of this file write, without what identifies who looks. */
async function stored(): Promise<object> {
  const { collections } = gateway.services.store;
  const { networkId } = gateway;
  const names = [
    'posts',
    'pins',
    'comments',
    'stories',
    'flags',
    'communities',
    'communityUsers',
    'channels',
    'channelUsers',
    'messageFeeds',
    'messages',
    'categories',
    'files',
    'polls',
    'auditEntries',
  ] as const;
  const found = await Promise.all(
    names.map((name) => (collections[name] as never as Records).find({ networkId }).sort({ _id: 1 }).toArray()),
  );
  return Object.fromEntries(names.map((name, index) => [name, found[index]]));
}
type Records = { find(filter: object): { sort(key: object): { toArray(): Promise<object[]> } } };

/** Executes something between the check of the next operation and its transaction. */
function beforeTransaction(happens: () => Promise<unknown>): void {
  const { store } = gateway.services;
  const { transaction } = store;
  vi.spyOn(store, 'transaction').mockImplementationOnce(async (work, options) => {
    await happens();
    return transaction(work, options);
  });
}

test.each(CASES)(
  '$operation by a role in the $by that is removed meanwhile changes nothing',
  async ({ by, operation, input }) => {
    const [add, remove, role] = ROLES[by];
    await succeed('admin', add, role);
    let before: object | undefined;
    beforeTransaction(async () => {
      await succeed('admin', remove, role);
      before = await stored();
    });
    expect(await mutate('kim', operation, input(), '__typename')).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(before).toBeDefined();
    expect(await stored()).toEqual(before);
  },
);

test('a moderator who is banned from the community meanwhile gets the error BANNED', async () => {
  await succeed('admin', 'addCommunityRoles', inCommunity);
  const kim = { communityId: 'gardeners', userIds: ['kim'] };
  beforeTransaction(() => succeed('admin', 'banCommunityMembers', kim));
  expect(await mutate('kim', 'deletePost', { postId: ids.post }, '__typename')).toMatchObject({ code: 'BANNED' });
  await succeed('admin', 'unbanCommunityMembers', kim);
  await succeed('admin', 'addCommunityMembers', kim);
});

test('a moderator of the network and of the community keeps the right if one of the roles is removed', async () => {
  await succeed('admin', 'addUserRoles', inNetwork);
  await succeed('admin', 'addCommunityRoles', inCommunity);
  beforeTransaction(() => succeed('admin', 'removeUserRoles', inNetwork));
  expect(await mutate('kim', 'deletePost', { postId: ids.pinned }, '__typename')).not.toHaveProperty('code');
  await succeed('admin', 'removeCommunityRoles', inCommunity);
});

test('the roles of a person cannot change while the right to export their data is checked', async () => {
  const deputy = { roleId: 'deputy', displayName: 'Deputy', rank: 90, permissions: PERMISSIONS };
  await succeed('admin', 'createRole', deputy);
  await succeed('admin', 'addUserRoles', { userId: 'kim', roleIds: ['deputy'] });
  const { userExports } = gateway.services.store.collections;
  const insertOne = userExports.insertOne.bind(userExports);
  let promotion: Promise<unknown> | undefined;
  let first: unknown;
  vi.spyOn(userExports, 'insertOne').mockImplementationOnce(async (...given) => {
    promotion = succeed('admin', 'addUserRoles', { userId: 'bob', roleIds: ['global-admin'] });
    first = await Promise.race([promotion.then(() => 'promoted'), pause(500, 'waits')]);
    return insertOne(...given);
  });
  expect(await mutate('kim', 'exportUser', { userId: 'bob' }, '__typename')).not.toHaveProperty('code');
  expect(first).toBe('waits');
  await promotion;
  expect(await mutate('kim', 'exportUser', { userId: 'bob' }, '__typename')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await succeed('admin', 'removeUserRoles', { userId: 'kim', roleIds: ['deputy'] });
  await succeed('admin', 'removeUserRoles', { userId: 'bob', roleIds: ['global-admin'] });
});

test('a moderator of the network who is banned meanwhile deletes nothing', async () => {
  await succeed('admin', 'addUserRoles', inNetwork);
  beforeTransaction(() => succeed('admin', 'banUser', { userId: 'kim' }));
  const answer = await mutate('kim', 'deletePost', { postId: ids.post }, '__typename');
  expect(answer).toMatchObject({ code: 'PERMISSION_DENIED' });
});
