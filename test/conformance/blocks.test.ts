import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BLOCKED } from '../../src/domain/user/blocks/block-user.ts';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';

/** `kim` blocks `leo`; `mia` is not involved. */
let gateway: TestGateway;
let conversation: string;
let message: string;
let posts: { ofKim: string; ofLeo: string };
let commentOfLeo: string;
const mutate = mutations(() => gateway);
const user = 'user { userId isBlockedByViewer }';
const block = (as: string, userId: string) => mutate(as, 'blockUser', { userId }, user);
const unblock = (as: string, userId: string) => mutate(as, 'unblockUser', { userId }, user);
const sendMessage = (as: string, channelId = conversation) =>
  mutate(as, 'sendMessage', { channelId, data: { text: 'Hi' } }, 'chatMessage { messageId }');
const post = (as: string, input: object = {}) =>
  mutate(as, 'createPost', { targetType: 'USER', targetId: as, data: { text: 'Hi' }, ...input }, 'post { postId }');
const react = (as: string, referenceId: string) =>
  mutate(as, 'addReaction', { referenceType: 'POST', referenceId, reactionName: 'like' }, 'reaction { reactionId }');
const reactToMessage = (as: string, reactionName: string) =>
  mutate(as, 'addReaction', { referenceType: 'MESSAGE', referenceId: message, reactionName }, '__typename');
const comment = (as: string, referenceId: string) =>
  mutate(as, 'createComment', { referenceId, data: { text: 'Hi' } }, 'comment { commentId }');

beforeAll(async () => {
  gateway = await openTestNetwork();
  const created = await mutate('kim', 'createConversation', { userIds: ['leo'] }, 'channel { channelId }');
  conversation = created.channel.channelId;
  message = (await sendMessage('leo')).chatMessage.messageId;
  posts = { ofKim: (await post('kim')).post.postId, ofLeo: (await post('leo')).post.postId };
  for (const as of ['kim', 'leo', 'mia']) expect((await react(as, posts.ofKim)).code).toBeUndefined();
  commentOfLeo = (await comment('leo', posts.ofKim)).comment.commentId;
  expect(await reactToMessage('leo', 'old')).not.toHaveProperty('code');
  expect(await block('kim', 'leo')).toMatchObject({ user: { userId: 'leo', isBlockedByViewer: true } });
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const refused = { code: 'FORBIDDEN' };
const isDone = ({ __typename }: Payload) => expect(__typename).toMatch(/Payload$/);

describe('two users of whom one blocked the other', () => {
  test.each(['kim', 'leo'])('%s cannot create a conversation, channel or community with the other', async (as) => {
    const userIds = [as === 'kim' ? 'leo' : 'kim', 'mia'];
    expect(
      await mutate(as, 'createConversation', { userIds: userIds.slice(0, 1) }, 'channel { channelId }'),
    ).toMatchObject(refused);
    for (const [operation, more] of [
      ['createConversation', { isDistinct: false }],
      ['createChannel', { displayName: 'Trap', type: 'PRIVATE' }],
      ['createCommunity', { displayName: 'Trap' }],
    ] as const) {
      expect(await mutate(as, operation, { userIds, ...more }, 'clientMutationId')).toMatchObject({
        ...refused,
        path: ['userIds'],
      });
    }
    const own = await mutate(as, 'createChannel', { displayName: 'Own', type: 'PRIVATE' }, 'channel { channelId }');
    const input = { channelId: own.channel.channelId, userIds };
    expect(await mutate(as, 'addChannelMembers', input, 'channel { channelId }')).toMatchObject(refused);
    const place = await mutate(as, 'createCommunity', { displayName: 'Own' }, 'community { communityId }');
    const members = { communityId: place.community.communityId, userIds };
    expect(await mutate(as, 'addCommunityMembers', members, 'community { communityId }')).toMatchObject(refused);
  });

  test.each(['kim', 'leo'])('%s cannot send messages to their conversation', async (as) => {
    expect(await sendMessage(as)).toMatchObject(refused);
  });

  test('their messages remain but cannot be edited', async () => {
    const edit = { messageId: message, data: { text: 'Ha' } };
    expect(await mutate('leo', 'updateMessage', edit, 'chatMessage { messageId }')).toMatchObject(refused);
    const { body } = await gateway.rest(`/api/v5/messages/${message}`, { as: 'kim' });
    expect(body.messages[0].data.text).toBe('Hi');
  });

  test.each(['kim', 'leo'])('%s cannot change their conversation or react to its messages', async (as) => {
    const update = { channelId: conversation, displayName: `Named by ${as}` };
    expect(await mutate(as, 'updateChannel', update, '__typename')).toMatchObject(refused);
    expect(await reactToMessage(as, 'new')).toMatchObject(refused);
    const { body } = await gateway.rest('/api/v2/reactions', {
      as,
      method: 'POST',
      body: { referenceType: 'message', referenceId: message, reactionName: 'new' },
    });
    expect([body.status, body.code]).toEqual(['error', 400300]);
  });

  test('an earlier reaction to a message of their conversation can be removed', async () => {
    const old = { referenceType: 'MESSAGE', referenceId: message, reactionName: 'old' };
    isDone(await mutate('leo', 'removeReaction', old, '__typename'));
  });

  test('a conversation of three can be changed, and its messages reacted to', async () => {
    const created = await mutate('mia', 'createConversation', { userIds: ['kim', 'leo'] }, 'channel { channelId }');
    const { channelId } = created.channel;
    const { messageId } = (await sendMessage('kim', channelId)).chatMessage;
    isDone(await mutate('leo', 'updateChannel', { channelId, displayName: 'Three' }, '__typename'));
    const reaction = { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'new' };
    isDone(await mutate('leo', 'addReaction', reaction, '__typename'));
  });

  test.each(['kim', 'leo'])('%s cannot add the other to a room', async (as) => {
    const created = await mutate(
      as,
      'createRoom',
      { title: 'Bench', type: 'CO_HOSTS', targetType: 'USER', targetId: as },
      'room { roomId }',
    );
    const { roomId } = created.room;
    const other = as === 'kim' ? 'leo' : 'kim';
    expect(await mutate(as, 'addRoomParticipants', { roomId, userIds: ['mia', other] }, '__typename')).toMatchObject({
      ...refused,
      path: ['userIds'],
    });
    isDone(await mutate(as, 'addRoomParticipants', { roomId, userIds: ['mia'] }, '__typename'));
  });

  test('a comment on the feed of the other cannot be changed, but deleted', async () => {
    const update = { commentId: commentOfLeo, data: { text: 'Ha' } };
    expect(await mutate('leo', 'updateComment', update, '__typename')).toMatchObject(refused);
    const { body } = await gateway.rest(`/api/v3/comments/${commentOfLeo}`, { as: 'mia' });
    expect(body.comments[0].data.text).toBe('Hi');
    isDone(await mutate('leo', 'deleteComment', { commentId: commentOfLeo }, '__typename'));
  });

  test.each(['kim', 'leo'])('%s cannot mention the other', async (as) => {
    const userIds = [as === 'kim' ? 'leo' : 'kim'];
    expect(await post(as, { mentionees: [{ userIds }] })).toMatchObject({
      code: 'INVALID_PARAMETERS',
      path: ['mentionees'],
    });
    const created = await mutate(as, 'createConversation', { userIds: ['mia'] }, 'channel { channelId }');
    const { channelId } = created.channel;
    const mention = { channelId, data: { text: 'Hi' }, mentionedUsers: [{ type: 'USER', userIds }] };
    expect(await mutate(as, 'sendMessage', mention, 'chatMessage { messageId }')).toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
    isDone(
      await mutate(
        as,
        'sendMessage',
        { ...mention, mentionedUsers: [{ type: 'USER', userIds: ['mia'] }] },
        'chatMessage { messageId }',
      ),
    );
  });

  test('neither can comment or react on the feed of the other; earlier reactions can be removed', async () => {
    for (const [as, postId] of [
      ['leo', posts.ofKim],
      ['kim', posts.ofLeo],
    ] as const) {
      expect(await comment(as, postId)).toMatchObject(refused);
      expect(await react(as, postId)).toMatchObject(refused);
    }
    const { body } = await gateway.rest('/api/v2/reactions', {
      as: 'leo',
      method: 'POST',
      body: { referenceType: 'post', referenceId: posts.ofKim, reactionName: 'love' },
    });
    expect([body.status, body.code]).toEqual(['error', 400300]);
    const old = { referenceType: 'POST', referenceId: posts.ofKim, reactionName: 'like' };
    isDone(await mutate('leo', 'removeReaction', old, 'reaction { reactionId }'));
  });

  test('posts and comments of the blocked user are omitted from lists of the blocking user only', async () => {
    const hiddenCommentId =
      (await comment('leo', 'compost')).comment?.commentId ?? (await comment('leo', 'seedlings')).comment.commentId;
    const referenceId = (await ask(gateway, `{ comment(commentId: "${hiddenCommentId}") { referenceId } }`)).comment
      .referenceId;
    const seen = async (as: string) => {
      const { body } = await gateway.rest('/api/v3/content-feeds?options[limit]=100', { as });
      const list = await gateway.rest(`/api/v4/posts?targetType=user&targetId=leo`, { as });
      const comments = await gateway.rest(
        `/api/v3/comments?referenceType=post&referenceId=${referenceId}&options[limit]=100`,
        {
          as,
        },
      );
      return [
        body.data.posts.some(({ postId }: { postId: string }) => postId === posts.ofLeo),
        list.body.posts.some(({ postId }: { postId: string }) => postId === posts.ofLeo),
        comments.body.comments.some(({ commentId }: { commentId: string }) => commentId === hiddenCommentId),
      ];
    };
    expect(await seen('kim')).toEqual([false, false, false]);
    for (const as of ['leo', 'mia']) expect(await seen(as), as).toEqual([true, true, true]);
    // Blocks filter lists only: the post can still be read by its id.
    expect((await gateway.rest(`/api/v3/posts/${posts.ofLeo}`, { as: 'kim' })).status).toBe(200);
  });

  test('other users and network moderators are not affected', async () => {
    isDone(await mutate('mia', 'createConversation', { userIds: ['kim', 'leo'] }, 'channel { channelId }'));
    await block('kim', 'admin');
    isDone(await mutate('admin', 'createConversation', { userIds: ['kim'] }, 'channel { channelId }'));
    isDone(await comment('admin', posts.ofKim));
    isDone(await unblock('kim', 'admin'));
  });
});

test('creates a block once, lists it over REST and GraphQL, and removes it', async () => {
  expect(await block('kim', 'leo')).toMatchObject({ user: { isBlockedByViewer: true } });
  const path = '/api/v4/me/user-blocks';
  const blocked = async (as = 'kim') =>
    (await gateway.rest(path, { as })).body.users.map(({ userId }: { userId: string }) => userId);
  expect((await gateway.rest(`${path}/heidi`, { as: 'kim', method: 'POST' })).status).toBe(200);
  expect(await blocked()).toEqual(['heidi', 'leo']);
  expect(await blocked('leo')).toEqual([]);
  const page = await gateway.rest(`${path}?options[limit]=1`, { as: 'kim' });
  const next = await gateway.rest(`${path}?options[token]=${encodeURIComponent(page.body.paging.next)}`, { as: 'kim' });
  expect(next.body.users.map(({ userId }: { userId: string }) => userId)).toEqual(['leo']);
  const { viewerBlockedUsers: list } = await ask(
    gateway,
    '{ viewerBlockedUsers { edges { node { userId isBlockedByViewer } } } }',
    { as: 'kim' },
  );
  expect(list.edges[0].node).toEqual({ userId: 'heidi', isBlockedByViewer: true });
  for (const userId of ['heidi', 'leo', 'leo']) {
    expect((await gateway.rest(`${path}/${userId}`, { as: 'kim', method: 'DELETE' })).status).toBe(200);
  }
  expect(await blocked()).toEqual([]);
  isDone(await sendMessage('leo'));
  isDone(await comment('leo', posts.ofKim));
});

test('rejects blocks of oneself, of invisible users, and beyond the limit', async () => {
  expect(await block('mia', 'mia')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await block('mia', 'nobody-here')).toMatchObject({ code: 'NOT_FOUND' });
  const { userBlocks, users } = gateway.services.store.collections;
  const now = new Date();
  const others = Array.from({ length: MAX_BLOCKED - 1 }, (_, index) => `other-${index}`);
  const base = { networkId: gateway.networkId, userId: 'mia', createdAt: now, updatedAt: now };
  isDone(await block('mia', 'leo'));
  await userBlocks.insertMany(others.map((blockedUserId) => ({ ...base, _id: new ObjectId(), blockedUserId })));
  await users.updateOne({ networkId: gateway.networkId, userId: 'mia' }, { $inc: { blockCount: others.length } });
  expect(await block('mia', 'kim')).toMatchObject({ code: 'BLOCK_LIMIT' });
  const { status, body } = await gateway.rest('/api/v4/me/user-blocks/kim', { as: 'mia', method: 'POST' });
  expect([status, body.code]).toEqual([403, 400324]);
  isDone(await block('mia', 'leo'));
  isDone(await unblock('mia', 'leo'));
  isDone(await block('mia', 'kim'));
});

test('concurrent blocks and unblocks leave at most one block and an exact count', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 3 === 0 ? unblock('bob', 'leo') : block('bob', ['leo', 'kim'][index % 2]!),
    ),
  );
  await expectConsistent(gateway);
});

test('returns the original answer to a repeated block with the same key', async () => {
  const input = { userId: 'erin', clientMutationId: 'block-erin' };
  const first = await mutate('frank', 'blockUser', input, `clientMutationId ${user}`);
  isDone(await unblock('frank', 'erin'));
  const again = await mutate('frank', 'blockUser', input, `clientMutationId ${user}`);
  expect(again.user.userId).toBe(first.user.userId);
  expect(first.user.isBlockedByViewer).toBe(true);
  expect(again.user.isBlockedByViewer).toBe(false);
});
