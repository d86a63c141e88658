import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';

/** `kim` writes, `leo` is a member with her, `mia` is not. */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const call = (method: string, path: string, as: string) => gateway.rest(path, { method, as });
beforeAll(async () => {
  gateway = await openTestNetwork();
  for (const as of ['leo', 'mia']) await gateway.tokenOf(as);
});
afterEach(() => expectConsistent(gateway));
afterAll(() => gateway.close());

const succeed = async (as: string, operation: string, input: object, select = '__typename'): Promise<Payload> => {
  const payload = await mutate(as, operation, input, select);
  expect(payload, operation).not.toHaveProperty('code');
  return payload;
};

const idsOf = async (kind: string, id: string, { query, as }: { query: string; as: string }): Promise<string[]> => {
  const { search } = await ask(
    gateway,
    `query ($query: String!) { search(query: $query) { found: ${kind}(first: 20) {
      pageInfo { hasNextPage } edges { node { ${id} } } } } }`,
    { as, variables: { query } },
  );
  expect(search.found.pageInfo.hasNextPage).toBe(false);
  return search.found.edges.map(({ node }: Payload) => node[id]);
};
const posts = (query: string, as: string) => idsOf('posts', 'postId', { query, as });
const communities = (query: string, as: string) => idsOf('communities', 'communityId', { query, as });
const messages = (query: string, as: string) => idsOf('messages', 'messageId', { query, as });

const newCommunity = async (input: object): Promise<string> =>
  (await succeed('kim', 'createCommunity', input, 'community { communityId }')).community.communityId;
const newPost = async (as: string, text: string, target: object): Promise<string> =>
  (await succeed(as, 'createPost', { ...target, data: { text } }, 'post { postId }')).post.postId;

describe('a search for posts and communities', () => {
  test('follows the visibility of the community and the membership of the viewer', async () => {
    const communityId = await newCommunity({ displayName: 'Axolotl club', isPublic: false, userIds: ['leo'] });
    const postId = await newPost('kim', 'axolotl', { targetType: 'COMMUNITY', targetId: communityId });
    const found = async (as: string) => [await posts('axolotl', as), await communities('axolotl', as)];
    const [all, none] = [
      [[postId], [communityId]],
      [[], []],
    ];
    expect(await found('leo')).toEqual(all);
    expect(await found('mia')).toEqual(none);
    await succeed('leo', 'leaveCommunity', { communityId });
    expect(await found('leo')).toEqual(none);
    await succeed('kim', 'updateCommunity', { communityId, isPublic: true });
    expect(await found('leo')).toEqual(all);
    expect(await found('mia')).toEqual(all);
    await succeed('kim', 'addCommunityMembers', { communityId, userIds: ['mia'] });
    await succeed('kim', 'banCommunityMembers', { communityId, userIds: ['mia'] });
    expect(await posts('axolotl', 'mia')).toEqual([]);
    await succeed('kim', 'updateCommunity', { communityId, isPublic: false });
    expect(await found('leo')).toEqual(none);
    expect(await found('kim')).toEqual(all);
    await succeed('kim', 'deleteCommunity', { communityId });
    expect(await found('kim')).toEqual(none);
  });

  test('finds posts in review only after their approval', async () => {
    const communityId = await newCommunity({
      displayName: 'Reviewed',
      userIds: ['leo'],
      needApprovalOnPostCreation: true,
    });
    const postId = await newPost('leo', 'pangolin', { targetType: 'COMMUNITY', targetId: communityId });
    for (const as of ['leo', 'kim', 'mia']) expect(await posts('pangolin', as), as).toEqual([]);
    await succeed('kim', 'approvePost', { postId });
    for (const as of ['leo', 'kim', 'mia']) expect(await posts('pangolin', as), as).toEqual([postId]);
  });

  test('omits posts of users whom the viewer blocked', async () => {
    const postId = await newPost('leo', 'kakapo', { targetType: 'USER', targetId: 'leo' });
    await succeed('mia', 'blockUser', { userId: 'leo' });
    expect(await posts('kakapo', 'mia')).toEqual([]);
    await succeed('mia', 'unblockUser', { userId: 'leo' });
    expect(await posts('kakapo', 'mia')).toEqual([postId]);
  });

  test('finds nothing of a post that was erased', async () => {
    const postId = await newPost('leo', 'numbat', { targetType: 'USER', targetId: 'leo' });
    await succeed('admin', 'deletePost', { postId, permanent: true });
    for (const as of ['leo', 'admin']) expect(await posts('numbat', as), as).toEqual([]);
  });

  test('finds the posts of private profiles for their followers only', async () => {
    const postId = await newPost('leo', 'aardvark', { targetType: 'USER', targetId: 'leo' });
    const set = (userPrivacySetting: string) =>
      succeed('admin', 'updateSocialSettings', { userPrivacySetting }, 'settings { social }');
    expect(await posts('aardvark', 'mia')).toEqual([postId]);
    await set('PRIVATE');
    try {
      expect(await posts('aardvark', 'mia')).toEqual([]);
      expect(await posts('aardvark', 'leo')).toEqual([postId]);
      const { search } = await ask(
        gateway,
        '{ search(query: "aardvark") { posts(targetType: USER, targetId: "leo") { edges { cursor } } } }',
        { as: 'mia' },
      );
      expect(search.posts.edges).toEqual([]);
      await call('POST', '/api/v4/me/following/leo', 'mia');
      expect(await posts('aardvark', 'mia')).toEqual([]);
      await call('POST', '/api/v4/me/followers/mia', 'leo');
      expect(await posts('aardvark', 'mia')).toEqual([postId]);
      await call('DELETE', '/api/v4/me/following/leo', 'mia');
      expect(await posts('aardvark', 'mia')).toEqual([]);
    } finally {
      await set('PUBLIC');
    }
  });
});

describe('a search for messages', () => {
  test('follows the membership of the viewer, and ends with the channel', async () => {
    const created = await succeed(
      'kim',
      'createChannel',
      { type: 'PRIVATE', displayName: 'Hut', userIds: ['leo', 'mia'] },
      'channel { channelId }',
    );
    const { channelId } = created.channel;
    const { chatMessage } = await succeed(
      'kim',
      'sendMessage',
      { channelId, data: { text: 'echidna' } },
      'chatMessage { messageId }',
    );
    const found = [chatMessage.messageId];
    for (const as of ['leo', 'mia']) expect(await messages('echidna', as), as).toEqual(found);
    await succeed('leo', 'leaveChannel', { channelId });
    expect(await messages('echidna', 'leo')).toEqual([]);
    await succeed('kim', 'banChannelMembers', { channelId, userIds: ['mia'] });
    expect(await messages('echidna', 'mia')).toEqual([]);
    expect(await messages('echidna', 'kim')).toEqual(found);
    await succeed('kim', 'deleteChannel', { channelId });
    expect(await messages('echidna', 'kim')).toEqual([]);
  });
});

describe('a list by a part of a name', () => {
  const names = async (list: string, node: string, as = 'kim'): Promise<string[]> => {
    const data = await ask(gateway, `{ found: ${list} { edges { node { ${node} } } } }`, { as });
    return data.found.edges.map((edge: Payload) => edge.node[node]);
  };

  test('finds communities and channels by the name they have now, with one character or more', async () => {
    const communityId = await newCommunity({ displayName: 'Ⓠ 東京 Straße' });
    const both = async (keyword: string) => [
      (await names(`communities(keyword: "${keyword}")`, 'communityId')).includes(communityId),
      (await names(`networkChannels(keyword: "${keyword}")`, 'displayName')).includes('Ⓠ 東京 Straße'),
    ];
    for (const keyword of ['京', ' 東', '東京', 'STRAẞE', 'traße', 'ⓠ 東京 s']) {
      expect(await both(keyword), keyword).toEqual([true, true]);
    }
    for (const keyword of ['京東', 'strasze', '東京  ', '東京S'])
      expect(await both(keyword), keyword).toEqual([false, false]);
    await succeed('kim', 'updateCommunity', { communityId, displayName: 'Wombats' });
    expect(await both('京')).toEqual([false, false]);
    expect(await names('communities(keyword: "OMBA")', 'communityId')).toEqual([communityId]);
    expect(await names('networkChannels(keyword: "omba")', 'displayName')).toEqual(['Wombats']);
    await succeed('kim', 'updateCommunity', { communityId, isPublic: false });
    expect(await names('networkChannels(keyword: "omba")', 'displayName', 'admin')).toEqual(['Wombats']);
    expect(await names('networkChannels(keyword: "omba")', 'displayName', 'mia')).toEqual([]);
    await succeed('kim', 'deleteCommunity', { communityId });
    expect(await names('communities(keyword: "omba", isDeleted: true)', 'communityId', 'admin')).toEqual([communityId]);
    expect(await names('communities(keyword: "omba")', 'communityId', 'admin')).toEqual([]);
  });

  test('finds users by the name they have now, deleted ones where they are listed', async () => {
    await gateway.tokenOf('xenia');
    await succeed('xenia', 'updateUser', { displayName: 'Xenia Yılmaz' });
    expect(await names('users(keyword: "a yı")', 'userId')).toEqual(['xenia']);
    await succeed('xenia', 'updateUser', { displayName: 'Zoe' });
    expect(await names('users(keyword: "yı")', 'userId')).toEqual([]);
    await succeed('xenia', 'deleteUser', {}, 'user { userId displayName }');
    expect(await names('users(keyword: "zoe", isDeleted: null)', 'userId', 'admin')).toEqual([]);
    const [name] = await names('users(first: 100, isDeleted: true)', 'displayName', 'admin');
    expect(await names(`users(keyword: "${name}", isDeleted: true)`, 'userId', 'admin')).toContain('xenia');
  });
});
