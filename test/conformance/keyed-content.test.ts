import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';

/** A write with a key is committed after its response has been built: the response must match the committed state. */
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
const SELECTIONS: { [kind: string]: string } = {
  post: `postId data { title text } childIds childrenNumber structureType flagCount sharedCount feedType isDeleted impression
    reach hasFlaggedChildren isFlaggedByViewer viewerCanEdit viewerCanDelete reactionsCount pins { placement }
    community { postsCount hasFlaggedPost } childPosts { postId }`,
  comment: `commentId data childrenNumber segmentNumber flagCount isDeleted isFlaggedByViewer viewerCanEdit
    viewerCanDelete reactionsCount`,
  story: `storyId data { text } impression reach isSeenByViewer isFlaggedByViewer flagCount isDeleted viewerCanDelete`,
  poll: `pollId title status isVoted viewerCanVote viewerCanEdit answers { data voteCount isVotedByUser }`,
};
let writes = 0;

/** Executes a mutation twice with the same key, and expects both results to equal a read afterwards. @returns the id */
async function keyed(as: string, operation: string, kind: string, input: object): Promise<Payload> {
  writes += 1;
  const select = `${kind} { ${SELECTIONS[kind]} }`;
  const keyedInput = { ...input, clientMutationId: `write-${writes}` };
  const first = (await change(as, operation, keyedInput, select))[kind];
  const name = `${kind}Id`;
  const read = await ask(gateway, `{ ${kind}(${name}: "${first[name]}") { ${SELECTIONS[kind]} } }`, { as });
  expect([operation, read[kind]]).toEqual([operation, first]);
  expect([operation, (await change(as, operation, keyedInput, select))[kind]]).toEqual([operation, first]);
  return { [name]: first[name] };
}

test('posts', async () => {
  const attachments = [{ type: 'IMAGE', fileId: 'tomatoes-red' }];
  const post = await keyed('bob', 'createPost', 'post', { ...GARDENERS, data: { text: 'x' }, attachments });
  const share = { ...GARDENERS, sharedPostId: post.postId };
  await keyed('bob', 'updatePost', 'post', { ...post, data: { title: 'New' }, attachments: [] });
  const shared = await keyed('alice', 'createPost', 'post', share);
  await keyed('alice', 'flagPost', 'post', post);
  await keyed('alice', 'unflagPost', 'post', post);
  await keyed('alice', 'flagPost', 'post', post);
  await keyed('alice', 'clearPostFlags', 'post', post);
  const pin = { communityId: 'gardeners', placement: 'DEFAULT', ...post };
  await keyed('alice', 'pinPost', 'post', pin);
  await keyed('alice', 'deletePost', 'post', shared);
  await keyed('alice', 'deletePost', 'post', { ...post, permanent: true });
});

test('posts in review', async () => {
  for (const operation of ['approvePost', 'declinePost']) {
    const { communities } = gateway.services.store.collections;
    const community = { networkId: gateway.networkId, communityId: 'gardeners' };
    await communities.updateOne(community, { $set: { needApprovalOnPostCreation: true } });
    const post = await keyed('bob', 'createPost', 'post', { ...GARDENERS, data: { text: 'x' } });
    await keyed('alice', operation, 'post', post);
    await communities.updateOne(community, { $set: { needApprovalOnPostCreation: false } });
  }
});

test('comments', async () => {
  const on = { referenceType: 'POST', referenceId: 'compost' };
  const comment = await keyed('bob', 'createComment', 'comment', { ...on, data: { text: 'x' } });
  await keyed('carol', 'createComment', 'comment', { ...on, data: { text: 'y' }, parentId: comment.commentId });
  await keyed('bob', 'updateComment', 'comment', { ...comment, data: { text: 'z' } });
  await keyed('alice', 'flagComment', 'comment', comment);
  await keyed('alice', 'unflagComment', 'comment', comment);
  await keyed('alice', 'flagComment', 'comment', comment);
  await keyed('alice', 'clearCommentFlags', 'comment', comment);
  await keyed('alice', 'deleteComment', 'comment', comment);
});

test('stories', async () => {
  const story = await keyed('alice', 'createStory', 'story', { ...GARDENERS, dataType: 'TEXT', data: { text: 'x' } });
  await keyed('bob', 'markStorySeen', 'story', story);
  await keyed('alice', 'flagStory', 'story', story);
  await keyed('alice', 'unflagStory', 'story', story);
  await keyed('alice', 'flagStory', 'story', story);
  await keyed('alice', 'clearStoryFlags', 'story', story);
  await keyed('alice', 'deleteStory', 'story', story);
});

test('polls', async () => {
  const answers = [{ data: 'A' }, { data: 'B' }];
  const poll = await keyed('bob', 'createPoll', 'poll', { question: '?', answers });
  await keyed('bob', 'updatePoll', 'poll', { ...poll, title: 'New' });
  const { poll: read } = await ask(gateway, `{ poll(pollId: "${poll.pollId}") { answers { answerId } } }`, {
    as: 'bob',
  });
  await keyed('bob', 'votePoll', 'poll', { ...poll, answerIds: [read.answers[0].answerId] });
  await keyed('bob', 'unvotePoll', 'poll', poll);
  await keyed('bob', 'closePoll', 'poll', poll);
});

test('views and reactions', async () => {
  const seen = { postIds: ['pruning'], clientMutationId: 'views' };
  await change('bob', 'recordViews', seen, 'postIds');
  const read = async () => (await ask(gateway, '{ post(postId: "pruning") { impression } }')).post.impression;
  const before = await read();
  await change('bob', 'recordViews', seen, 'postIds');
  expect(await read()).toBe(before);
  const reaction = { referenceType: 'POST', referenceId: 'pruning', reactionName: 'keyed', clientMutationId: 'react' };
  const select = 'reference { ... on Post { reactionsCount myReactions } }';
  const added = await change('bob', 'addReaction', reaction, select);
  const { post } = await ask(gateway, '{ post(postId: "pruning") { reactionsCount myReactions } }', { as: 'bob' });
  expect(added.reference).toEqual(post);
  expect(post.myReactions).toContain('keyed');
});
