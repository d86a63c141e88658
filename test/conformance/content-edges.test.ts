import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const change = mutations(() => gateway);
const GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };
const image = (fileId: string) => ({ type: 'IMAGE', fileId });

test('a post with a poll and ten files can be updated like any other', async () => {
  const { files } = gateway.services.store.collections;
  const model = (await files.findOne({ networkId: gateway.networkId, fileId: 'tomatoes-red' }))!;
  const names = Array.from({ length: 10 }, (_, index) => `picture-${index}`);
  await files.insertMany(names.map((fileId) => ({ ...model, _id: undefined as never, fileId, userId: 'alice' })));
  const input = { ...GARDENERS, dataType: 'poll', data: { pollId: 'shared-bed' }, attachments: names.map(image) };
  const select = 'post { postId childrenNumber structureType childIds }';
  const { post } = await change('alice', 'createPost', input, select);
  expect([post.childrenNumber, post.structureType]).toEqual([11, 'MIXED']);
  const { postId } = post;
  const shown = async () => {
    const query = `{ post(postId: "${postId}") { children(first: 20) { edges { node { dataType data { fileId } } } } } }`;
    const answer = await ask(gateway, query);
    return answer.post.children.edges.map(
      ({ node }: { node: { dataType: string; data: { fileId: string } } }) => node.data.fileId ?? node.dataType,
    );
  };
  expect(await shown()).toEqual([...names, 'poll']);
  const less = names.slice(1).map(image);
  const changed = await change('alice', 'updatePost', { postId, attachments: less }, select);
  expect(changed.post.childrenNumber).toBe(10);
  expect((await shown()).sort()).toEqual([...names.slice(1), 'poll']);
  await expectConsistent(gateway);
  await change('alice', 'updatePost', { postId, attachments: names.map(image) }, select);
  await change('alice', 'deletePost', { postId: changed.post.childIds[3] }, select);
  expect((await shown()).length).toBe(10);
});

test('a post becomes a text post when its last image is deleted', async () => {
  const input = { ...GARDENERS, data: { text: 'Look' }, attachments: [image('tomatoes-red')] };
  const { post } = await change('bob', 'createPost', input, 'post { postId childIds }');
  await change('bob', 'deletePost', { postId: post.childIds[0] }, 'post { postId }');
  const read = await ask(gateway, `{ post(postId: "${post.postId}") { structureType childrenNumber childIds } }`);
  expect(read.post).toEqual({ structureType: 'TEXT', childrenNumber: 0, childIds: [] });
});

test('deleting a flagged image removes its flag marks, also from the answer', async () => {
  const input = {
    ...GARDENERS,
    data: { text: 'Look' },
    attachments: [image('tomatoes-red'), image('tomatoes-yellow')],
  };
  const select = 'post { postId childIds hasFlaggedChildren }';
  const { post } = await change('bob', 'createPost', input, select);
  await change('carol', 'flagPost', { postId: post.childIds[0] }, select);
  const flagged = await ask(gateway, `{ post(postId: "${post.postId}") { hasFlaggedChildren } }`);
  expect(flagged.post.hasFlaggedChildren).toBe(true);
  const one = { postId: post.postId, attachments: [image('tomatoes-yellow')] };
  expect((await change('bob', 'updatePost', one, select)).post.hasFlaggedChildren).toBe(false);
});

test('deleted records cannot be flagged, not even by moderators', async () => {
  const { post } = await change('bob', 'createPost', { ...GARDENERS, data: { text: 'x' } }, 'post { postId }');
  const { postId } = post;
  const commentInput = { referenceId: 'compost', data: { text: 'x' } };
  const { comment } = await change('bob', 'createComment', commentInput, 'comment { commentId }');
  const { commentId } = comment;
  const shown = { ...GARDENERS, dataType: 'TEXT', data: { text: 'x' } };
  const { story } = await change('alice', 'createStory', shown, 'story { storyId }');
  await change('bob', 'deletePost', { postId }, 'post { postId }');
  await change('bob', 'deleteComment', { commentId }, 'comment { commentId }');
  await change('alice', 'deleteStory', story, 'story { storyId }');
  expect(await change('alice', 'flagPost', { postId }, 'post { postId }')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await change('alice', 'flagComment', { commentId }, 'comment { commentId }')).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await change('alice', 'flagStory', story, 'story { storyId }')).toMatchObject({ code: 'NOT_FOUND' });
});

test('recording a story view with a key returns it as seen, also when repeated', async () => {
  const shown = { ...GARDENERS, dataType: 'TEXT', data: { text: 'Key' } };
  const { story } = await change('alice', 'createStory', shown, 'story { storyId }');
  const input = { ...story, clientMutationId: 'seen-1' };
  const select = 'story { impression reach isSeenByViewer }';
  const seen = { impression: 1, reach: 1, isSeenByViewer: true };
  expect((await change('bob', 'markStorySeen', input, select)).story).toEqual(seen);
  expect((await change('bob', 'markStorySeen', input, select)).story).toEqual(seen);
});

test('viewerCanEdit of a post in review agrees with the network setting', async () => {
  const { communities, networks } = gateway.services.store.collections;
  const community = { networkId: gateway.networkId, communityId: 'gardeners' };
  const setting = 'settings.social.isAllowEditPostWhenReviewingEnabled';
  await communities.updateOne(community, { $set: { needApprovalOnPostCreation: true } });
  const { post } = await change('bob', 'createPost', { ...GARDENERS, data: { text: 'x' } }, 'post { postId }');
  for (const isAllowed of [true, false]) {
    await networks.updateOne({ networkId: gateway.networkId }, { $set: { [setting]: isAllowed } });
    for (const as of ['bob', 'alice']) {
      const { post: read } = await ask(gateway, `{ post(postId: "${post.postId}") { viewerCanEdit } }`, { as });
      const edit = { postId: post.postId, data: { text: `${as} ${isAllowed}` } };
      const done = await change(as, 'updatePost', edit, 'post { postId }');
      expect([as, read.viewerCanEdit]).toEqual([as, !done.code]);
    }
  }
  await communities.updateOne(community, { $set: { needApprovalOnPostCreation: false } });
});

test('closing a closed poll succeeds, updating it fails', async () => {
  const answers = [{ data: 'A' }, { data: 'B' }];
  const { poll } = await change('bob', 'createPoll', { question: '?', answers }, 'poll { pollId }');
  const select = 'poll { status title }';
  expect((await change('bob', 'closePoll', poll, select)).poll.status).toBe('CLOSED');
  expect((await change('bob', 'updatePoll', { ...poll, status: 'CLOSED' }, select)).poll.status).toBe('CLOSED');
  expect(await change('bob', 'updatePoll', { ...poll, status: 'CLOSED', title: 'New' }, select)).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('viewerCanComment of a story agrees with the community setting', async () => {
  const { communities } = gateway.services.store.collections;
  const shown = { ...GARDENERS, dataType: 'TEXT', data: { text: 'x' } };
  const { story } = await change('alice', 'createStory', shown, 'story { storyId }');
  const community = { networkId: gateway.networkId, communityId: 'gardeners' };
  const before = (await communities.findOne(community))!;
  for (const allowCommentInStory of [true, false]) {
    await communities.updateOne(community, { $set: { allowCommentInStory } });
    const read = await ask(gateway, `{ story(storyId: "${story.storyId}") { viewerCanComment } }`, { as: 'bob' });
    const comment = { referenceType: 'STORY', referenceId: story.storyId, data: { text: 'x' } };
    const created = await change('bob', 'createComment', comment, 'comment { commentId }');
    expect([read.story.viewerCanComment, created.code]).toEqual([
      allowCommentInStory,
      allowCommentInStory ? undefined : 'FORBIDDEN',
    ]);
  }
  await communities.updateOne(community, { $set: { allowCommentInStory: before.allowCommentInStory } });
});

test('a mention without users mentions nobody', async () => {
  const body = {
    ...GARDENERS,
    targetType: 'community',
    data: { text: 'x' },
    mentionees: [{ type: 'user', userIds: [] }],
  };
  const { status, body: created } = await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body });
  expect([status, created.posts[0].mentionees]).toEqual([200, []]);
});

test('stores the detail of a flag unchanged or rejects it', async () => {
  const flag = (detail: string) =>
    change('carol', 'flagPost', { postId: 'pruning', reason: 'OTHERS', detail }, 'post { postId }');
  expect(await flag('half \ud83d')).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['detail'] });
  expect(await flag('x'.repeat(301))).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['detail'] });
  await flag('\u202e whole 🌱');
  const { flags } = gateway.services.store.collections;
  const kept = await flags.findOne({
    networkId: gateway.networkId,
    referenceType: 'post',
    referenceId: 'pruning',
    userId: 'carol',
  });
  expect(kept?.detail).toBe('\u202e whole 🌱');
});

const meanwhile = (key: string, start: () => Promise<Payload>[], happens: () => Promise<unknown>) =>
  whileLocked({ store: gateway.services.store, key, start, happens });

test('rejects a post or comment whose author is banned before it is written', async () => {
  const { communityUsers } = gateway.services.store.collections;
  const membership = { networkId: gateway.networkId, communityId: 'gardeners', userId: 'carol' };
  const before = (await communityUsers.findOne(membership))!;
  const banned = { communityMembership: 'banned' as const, isBanned: true };
  const changes = {
    BANNED: banned,
    FORBIDDEN: { communityMembership: 'none' as const },
  };
  for (const [code, membershipChange] of Object.entries(changes)) {
    const input = { ...GARDENERS, data: { text: 'Quick' } };
    const posts = await meanwhile(
      `community ${gateway.networkId} gardeners`,
      () =>
        [input, { ...input, clientMutationId: code }].map((each) => change('carol', 'createPost', each, '__typename')),
      () => communityUsers.updateOne(membership, { $set: { ...membershipChange } }),
    );
    for (const post of posts) expect(post).toMatchObject({ code });
    await communityUsers.replaceOne(membership, before);
  }
  const [comment] = await meanwhile(
    `post ${gateway.networkId} compost`,
    () => [change('carol', 'createComment', { referenceId: 'compost', data: { text: 'x' } }, '__typename')],
    () => communityUsers.updateOne(membership, { $set: banned }),
  );
  expect(comment).toMatchObject({ code: 'NOT_FOUND' });
  await communityUsers.replaceOne(membership, before);
});

test('an update without changes does not set editedAt', async () => {
  const { post } = await change('bob', 'createPost', { ...GARDENERS, data: { text: 'x' } }, 'post { postId }');
  const commentInput = { referenceId: post.postId, data: { text: 'x' } };
  const { comment } = await change('bob', 'createComment', commentInput, 'comment { commentId }');
  expect((await change('bob', 'updatePost', post, 'post { editedAt }')).post.editedAt).toBeNull();
  expect((await change('bob', 'updateComment', comment, 'comment { editedAt }')).comment.editedAt).toBeNull();
  expect(await change('carol', 'updatePost', post, 'post { editedAt }')).toMatchObject({ code: 'PERMISSION_DENIED' });
});
