import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectDelivery, namesOf } from '../support/expect-delivery.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const make = mutations(() => gateway);
async function pathOf(collection: 'posts' | 'stories' | 'communities' | 'users', filter: object): Promise<string> {
  const found = await gateway.services.store.db.collection(collection).findOne({ networkId: 'default', ...filter });
  return found!.path;
}

const REACTION_ARRAYS = [
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'polls',
];

/** Fields that the post record of this event lacks: `docs/interface.md#post-events`. */
const MISSING_FIELDS = ['myReactions', 'childrenNumber', 'structureType'];

test('post.addReaction contains the post without four fields, its linked records, and the reactor', async () => {
  const filled = new Set<string>();
  for (const postId of ['seedlings', 'crop-poll', 'greenhouse', 'tomatoes']) {
    const path = await pathOf('posts', { postId });
    const { data, fields } = await expectDelivery(
      gateway,
      { event: 'post.addReaction', as: 'carol', type: 'PostReactionEvent', path, actorId: 'bob' },
      () =>
        make(
          'bob',
          'addReaction',
          { referenceType: 'POST', referenceId: postId, reactionName: 'cheer' },
          'clientMutationId',
        ),
    );
    expect(Object.keys(data).sort()).toEqual([...REACTION_ARRAYS, 'reactor'].sort());
    const without = { posts: MISSING_FIELDS, postChildren: MISSING_FIELDS };
    checkAnswer(data, { arrays: REACTION_ARRAYS, without });
    for (const post of [...data.posts, ...data.postChildren]) expect(Object.hasOwn(post.data, 'title')).toBe(false);
    expect(data.posts).toMatchObject([{ postId, dataType: expect.any(String), reactions: { cheer: 1 } }]);
    expect(Object.keys(data.reactor).sort()).toEqual(REACTOR);
    expect(data.reactor).toMatchObject({ reactionName: 'cheer', userId: 'bob', userPublicIdId: 'bob' });
    expect(data.users.map(({ userId }: { userId: string }) => userId)).toContain('bob');
    expect(namesOf(fields, 'Post')).toEqual(
      expect.arrayContaining(['postId', 'path', 'data', 'reactions', 'flagCount']),
    );
    expect(namesOf(fields, 'Reaction')).toEqual(expect.arrayContaining(['reactionId', 'reactionName', 'createdAt']));
    for (const array of REACTION_ARRAYS) if (data[array].length > 0) filled.add(array);
  }
  expect([...filled].sort()).toEqual([...REACTION_ARRAYS].sort());
});

const REACTOR = ['createdAt', 'reactionId', 'reactionName', 'updatedAt', 'userId', 'userInternalId', 'userPublicIdId'];

const STORY_ARRAYS = ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'];

test('story.deleted contains the story without its content', async () => {
  const storyId = 'morning-dew';
  const path = await pathOf('stories', { storyId });
  const { data, fields } = await expectDelivery(
    gateway,
    { event: 'story.deleted', as: 'carol', type: 'StoryEvent', path, actorId: 'alice' },
    () => make('alice', 'deleteStory', { storyId }, 'clientMutationId'),
  );
  expect(Object.keys(data)).toEqual(STORY_ARRAYS);
  checkAnswer(data, { arrays: STORY_ARRAYS });
  expect(data.stories).toMatchObject([
    { storyId, isDeleted: true, referenceId: expect.anything(), data: { text: null, fileId: null } },
  ]);
  for (const array of ['files', 'users', 'communities', 'communityUsers', 'categories']) {
    expect(data[array], array).not.toEqual([]);
  }
  expect(namesOf(fields, 'Story')).toEqual(expect.arrayContaining(['storyId', 'path', 'isDeleted', 'expiresAt']));
});

const COMMUNITY_ARRAYS = ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'];

test.each([
  ['joins', 'erin', 'joinCommunity', {}, 'member'],
  ['leaves', 'erin', 'leaveCommunity', {}, 'none'],
  ['is added', 'alice', 'addCommunityMembers', { userIds: ['erin'] }, 'member'],
  ['is removed', 'alice', 'removeCommunityMembers', { userIds: ['erin'] }, 'none'],
  ['is banned without being a member', 'alice', 'banCommunityMembers', { userIds: ['erin'] }, 'banned'],
  ['is unbanned', 'alice', 'unbanCommunityMembers', { userIds: ['erin'] }, 'none'],
  ['is approved', 'alice', 'approveJoinRequest', { userId: 'erin' }, 'member'],
  ['is banned as a member', 'alice', 'banCommunityMembers', { userIds: ['erin'] }, 'banned'],
])('community.userChanged is emitted when somebody %s', async (_, actorId, operation, input, communityMembership) => {
  const communityId = 'gardeners';
  const path = await pathOf('communities', { communityId });
  if (operation === 'approveJoinRequest') {
    await make('alice', 'updateCommunity', { communityId, requiresJoinApproval: true }, 'clientMutationId');
    await make('erin', 'joinCommunity', { communityId }, 'clientMutationId');
  }
  const { data, fields } = await expectDelivery(
    gateway,
    { event: 'community.userChanged', as: 'carol', type: 'CommunityUsersEvent', path, actorId },
    async () => {
      const { code } = await make(actorId, operation, { communityId, ...input }, 'clientMutationId');
      expect(code).toBeUndefined();
    },
  );
  expect(Object.keys(data)).toEqual(COMMUNITY_ARRAYS);
  const without = { communities: ['isJoined', 'isDiscoverable', 'requiresJoinApproval'] };
  checkAnswer(data, { arrays: COMMUNITY_ARRAYS, without });
  for (const array of COMMUNITY_ARRAYS) expect(data[array], array).not.toEqual([]);
  expect(data.communities).toMatchObject([{ communityId, membersCount: expect.any(Number) }]);
  expect(data.communityUsers).toMatchObject([{ userId: 'erin', communityMembership, permissions: expect.any(Array) }]);
  expect(namesOf(fields, 'Community')).toEqual(expect.arrayContaining(['membersCount', 'displayName', 'postsCount']));
});

test('user.flagCleared contains the user and the avatar', async () => {
  const path = await pathOf('users', { userId: 'bob' });
  await make('carol', 'flagUser', { userId: 'bob' }, 'clientMutationId');
  const { data, fields } = await expectDelivery(
    gateway,
    { event: 'user.flagCleared', as: 'carol', type: 'UserEvent', path, actorId: 'admin' },
    () => make('admin', 'clearUserFlags', { userId: 'bob' }, 'clientMutationId'),
  );
  expect(Object.keys(data)).toEqual(['users', 'files']);
  checkAnswer(data, { arrays: ['users', 'files'] });
  expect(data.users).toMatchObject([{ userId: 'bob', flagCount: 0 }]);
  expect(data.files).toMatchObject([{ fileId: data.users[0].avatarFileId }]);
  expect(namesOf(fields, 'User')).toEqual(expect.arrayContaining(['userId', 'displayName', 'metadata', 'roles']));
});
