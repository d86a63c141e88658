import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Collections } from '../../src/store/collections.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { MANY, startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

const people = Array.from({ length: MANY }, (_, n) => `person-${n}`);

let two: TwoGateways;
let stored: Collections;
beforeAll(async () => {
  two = await startTwoGateways();
  stored = two.store.collections;
}, 240_000);
afterAll(() => two.close());

/** Everybody does it at once; @returns what each was answered. */
async function allAtOnce(
  users: readonly string[],
  operation: string,
  inputOf: (index: number) => object,
  select: string,
) {
  return Promise.all(users.map((user, index) => two.mutate(user, operation, inputOf(index), select)));
}

const done = (answers: Array<{ __typename: string }>): number =>
  answers.filter(({ __typename }) => __typename.endsWith('Payload')).length;
const expectConsistent = async () => expect(await findInconsistencies(two.store.db)).toEqual([]);
const postOf = async (postId: string) => (await stored.posts.findOne({ networkId: 'default', postId }))!;

test('posts that many make at once in one community are all counted', async () => {
  const { postsCount } = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  const users = people.map((_, index) => ['alice', 'bob', 'carol'][index % 3]!);
  const input = { targetType: 'COMMUNITY', targetId: 'gardeners', sharedPostId: 'compost', data: { text: 'Me too' } };
  const answers = await allAtOnce(users, 'createPost', () => input, 'post { postId }');
  expect(done(answers)).toBe(MANY);
  const after = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  expect(after.postsCount).toBe(postsCount + MANY);
  expect((await postOf('compost')).sharedCount).toBe(MANY);
  const deleted = await allAtOnce(
    users,
    'deletePost',
    (index) => ({ postId: answers[index].post.postId }),
    'post { postId }',
  );
  expect(done(deleted)).toBe(MANY);
  expect((await postOf('compost')).sharedCount).toBe(0);
  await expectConsistent();
}, 240_000);

test('a post that many delete, approve or decline at once is deleted or reviewed once', async () => {
  const users = people.slice(0, 30).map(() => 'admin');
  const input = { targetType: 'COMMUNITY', targetId: 'orchard-keepers', data: { text: 'Wait' } };
  const [waiting] = await allAtOnce(['grace'], 'createPost', () => input, 'post { postId }');
  const { postId } = waiting.post;
  const reviews = await Promise.all([
    allAtOnce(users.slice(15), 'approvePost', () => ({ postId }), 'post { postId }'),
    allAtOnce(users.slice(15), 'declinePost', () => ({ postId }), 'post { postId }'),
  ]);
  expect(done(reviews.flat())).toBe(1);
  const deleted = await allAtOnce(users, 'deletePost', () => ({ postId }), 'post { postId }');
  expect(done(deleted)).toBe(1);
  await expectConsistent();
}, 240_000);

test('a post that is pinned and deleted at once leaves no pin behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Pin me' } };
    const [made] = await allAtOnce(['bob'], 'createPost', () => input, 'post { postId }');
    const { postId } = made.post;
    const pin = { communityId: 'gardeners', placement: 'DEFAULT', postId };
    const [, deleted] = await Promise.all([
      allAtOnce(['alice'], 'pinPost', () => pin, 'pin { placement }'),
      allAtOnce(['bob'], 'deletePost', () => ({ postId }), 'post { postId }'),
    ]);
    expect(done(deleted)).toBe(1);
    expect(await stored.pins.countDocuments({ networkId: 'default', referenceId: postId })).toBe(0);
  }
  await expectConsistent();
}, 240_000);

test('comments that come and go at once on one post are numbered without a gap, and counted', async () => {
  const input = (n: number) => ({ referenceId: 'compost', data: { text: `comment ${n}` } });
  const first = await allAtOnce(people, 'createComment', input, 'comment { commentId segmentNumber }');
  expect(done(first)).toBe(MANY);
  const segments = first.map(({ comment }) => comment.segmentNumber).sort((one, other) => one - other);
  expect(segments).toEqual(segments.map((_, index) => segments[0] + index));
  const root = first[0].comment.commentId;
  const deleters = people.slice(1, 40);
  const [gone] = await Promise.all([
    allAtOnce(
      deleters,
      'deleteComment',
      (n) => ({ commentId: first[n + 1].comment.commentId }),
      'comment { commentId }',
    ),
    allAtOnce(people, 'createComment', (n) => ({ ...input(n), parentId: root }), 'comment { commentId }'),
  ]);
  expect(done(gone)).toBe(deleters.length);
  await expectConsistent();
}, 240_000);

test('flags and reactions of many on one comment are counted, each person once', async () => {
  const commentId = 'tomatoes-carol';
  const before = (await stored.comments.findOne({ networkId: 'default', commentId }))!;
  const reaction = { referenceType: 'COMMENT', referenceId: commentId, reactionName: 'constructor' };
  await Promise.all([
    allAtOnce([...people, ...people.slice(0, 20)], 'flagComment', () => ({ commentId }), 'comment { commentId }'),
    allAtOnce([...people, ...people.slice(0, 20)], 'addReaction', () => reaction, 'reaction { reactionId }'),
  ]);
  const after = (await stored.comments.findOne({ networkId: 'default', commentId }))!;
  expect(after.flagCount - before.flagCount).toBe(MANY);
  expect(after.reactionsCount - before.reactionsCount).toBe(MANY);
  await expectConsistent();
}, 240_000);

test('of changes to one post at once each is made whole or refused', async () => {
  const files = ['tomatoes-red', 'tomatoes-yellow'];
  const { userId } = (await stored.files.findOne({ networkId: 'default', fileId: files[0]! }))!;
  const input = { targetType: 'USER', targetId: userId, data: { title: 'a', text: 'b' } };
  const [made] = await allAtOnce([userId], 'createPost', () => input, 'post { postId }');
  const { postId } = made.post;
  const attachments = (n: number) => [{ type: n % 2 ? 'FILE' : 'IMAGE', fileId: files[n % 2] }];
  const users = people.slice(0, 20).map(() => userId);
  const changed = await allAtOnce(
    users,
    'updatePost',
    (n) => ({ postId, attachments: attachments(n) }),
    'post { postId }',
  );
  expect(done(changed)).toBeGreaterThan(0);
  for (const answer of changed) if (answer.code) expect(answer.code).toBe('CONFLICT');
  expect((await postOf(postId)).childrenNumber).toBe(1);
  await expectConsistent();
}, 240_000);

test('views of many at once are all counted, each person once', async () => {
  const { impression, reach } = await postOf('pruning');
  await allAtOnce([...people, ...people], 'recordViews', () => ({ postIds: ['pruning', 'tomatoes'] }), 'postIds');
  const after = await postOf('pruning');
  expect([after.impression - impression, after.reach - reach]).toEqual([2 * MANY, MANY]);
}, 240_000);

test('flags that come while flags are cleared are counted or gone, never half', async () => {
  const users = people.slice(0, 40);
  await Promise.all([
    allAtOnce(users, 'flagPost', () => ({ postId: 'pruning' }), 'post { postId }'),
    allAtOnce(['alice', 'admin', 'alice'], 'clearPostFlags', () => ({ postId: 'pruning' }), 'post { postId }'),
  ]);
  await expectConsistent();
}, 240_000);

test('stories that come, go and are seen at once leave their target and reach right', async () => {
  const target = { targetType: 'COMMUNITY', targetId: 'harvest-fair', dataType: 'TEXT', data: { text: 'Now' } };
  const admins = people.slice(0, 30).map(() => 'admin');
  const made = await allAtOnce(admins, 'createStory', () => target, 'story { storyId }');
  expect(done(made)).toBe(30);
  const { storyId } = made[0].story;
  await Promise.all([
    allAtOnce([...people, ...people.slice(0, 20)], 'markStorySeen', () => ({ storyId }), 'story { storyId }'),
    allAtOnce(admins.slice(1), 'deleteStory', (n) => ({ storyId: made[n + 1].story.storyId }), 'story { storyId }'),
  ]);
  const seen = (await stored.stories.findOne({ networkId: 'default', storyId }))!;
  expect([seen.impression, seen.reach]).toEqual([MANY + 20, MANY]);
  await expectConsistent();
}, 240_000);

test('votes of many at once are counted, each person once, and none after the poll is closed', async () => {
  const pollId = 'shared-bed';
  const votesOf = async () => {
    const { answers } = (await stored.polls.findOne({ networkId: 'default', pollId }))!;
    return answers.reduce((total, answer) => total + answer.voteCount, 0);
  };
  const before = await votesOf();
  const ids = ['shared-bed-peas', 'shared-bed-beets', 'shared-bed-tomatoes'];
  const inputOf = (n: number) => ({ pollId, answerIds: [ids[n % 3]!] });
  const votes = await allAtOnce([...people, ...people.slice(0, 20)], 'votePoll', inputOf, 'poll { pollId }');
  expect(done(votes)).toBe(MANY);
  expect(await votesOf()).toBe(before + MANY);
  await Promise.all([
    allAtOnce(people.slice(0, 20), 'unvotePoll', () => ({ pollId }), 'poll { pollId }'),
    allAtOnce(['alice'], 'closePoll', () => ({ pollId }), 'poll { pollId }'),
    allAtOnce(['erin', 'frank', 'grace'], 'votePoll', inputOf, 'poll { pollId }'),
  ]);
  expect(await votesOf()).toBe(await stored.pollVotes.countDocuments({ networkId: 'default', pollId }));
  await expectConsistent();
}, 240_000);

test('what is reacted to, flagged and deleted at once keeps no mark that nothing bears', async () => {
  for (let round = 0; round < 4; round += 1) {
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Now or never' } };
    const [made] = await allAtOnce(['bob'], 'createPost', () => input, 'post { postId }');
    const { postId } = made.post;
    const said = { referenceId: 'compost', data: { text: 'Now or never' } };
    const [comment] = await allAtOnce(['bob'], 'createComment', () => said, 'comment { commentId }');
    const { commentId } = comment.comment;
    const users = people.slice(0, 15);
    const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'like' };
    await Promise.all([
      allAtOnce(users, 'addReaction', () => reaction, 'reaction { reactionId }'),
      allAtOnce(users, 'flagPost', () => ({ postId }), 'post { postId }'),
      allAtOnce(users, 'flagComment', () => ({ commentId }), 'comment { commentId }'),
      allAtOnce(['bob'], 'deletePost', () => ({ postId }), 'post { postId }'),
      allAtOnce(['bob'], 'deleteComment', () => ({ commentId }), 'comment { commentId }'),
    ]);
  }
  await expectConsistent();
  const where = { networkId: 'default', targetType: 'community' as const, targetId: 'gardeners' };
  const flagged = { ...where, flagCount: { $gt: 0 }, isDeleted: false };
  const community = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  expect(community.hasFlaggedPost).toBe((await stored.posts.countDocuments(flagged)) > 0);
  expect(community.hasFlaggedComment).toBe((await stored.comments.countDocuments(flagged)) > 0);
}, 240_000);
