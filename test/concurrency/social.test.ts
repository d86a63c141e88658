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

/** Executes the mutation concurrently as each of the users. @returns their payloads or errors */
async function mutateConcurrently(
  users: readonly string[],
  operation: string,
  inputOf: (index: number) => object,
  select: string,
) {
  return Promise.all(users.map((user, index) => two.mutate(user, operation, inputOf(index), select)));
}

const countDone = (answers: Array<{ __typename: string }>): number =>
  answers.filter(({ __typename }) => __typename.endsWith('Payload')).length;
const expectConsistent = async () => expect(await findInconsistencies(two.store.db)).toEqual([]);
const postOf = async (postId: string) => (await stored.posts.findOne({ networkId: 'default', postId }))!;

test('counts all posts that are created concurrently in one community', async () => {
  const { postsCount } = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  const users = people.map((_, index) => ['alice', 'bob', 'carol'][index % 3]!);
  const input = { targetType: 'COMMUNITY', targetId: 'gardeners', sharedPostId: 'compost', data: { text: 'Me too' } };
  const answers = await mutateConcurrently(users, 'createPost', () => input, 'post { postId }');
  expect(countDone(answers)).toBe(MANY);
  const after = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  expect(after.postsCount).toBe(postsCount + MANY);
  expect((await postOf('compost')).sharedCount).toBe(MANY);
  const deleted = await mutateConcurrently(
    users,
    'deletePost',
    (index) => ({ postId: answers[index].post.postId }),
    'post { postId }',
  );
  expect(countDone(deleted)).toBe(MANY);
  expect((await postOf('compost')).sharedCount).toBe(0);
  await expectConsistent();
}, 240_000);

test('concurrent reviews and deletions of one post take effect once', async () => {
  const users = people.slice(0, 30).map(() => 'admin');
  const input = { targetType: 'COMMUNITY', targetId: 'orchard-keepers', data: { text: 'Wait' } };
  const [waiting] = await mutateConcurrently(['grace'], 'createPost', () => input, 'post { postId }');
  const { postId } = waiting.post;
  const reviews = await Promise.all([
    mutateConcurrently(users.slice(15), 'approvePost', () => ({ postId }), 'post { postId }'),
    mutateConcurrently(users.slice(15), 'declinePost', () => ({ postId }), 'post { postId }'),
  ]);
  expect(countDone(reviews.flat())).toBe(1);
  const deleted = await mutateConcurrently(users, 'deletePost', () => ({ postId }), 'post { postId }');
  expect(countDone(deleted)).toBe(1);
  await expectConsistent();
}, 240_000);

test('a post that is pinned and deleted concurrently leaves no pin behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Pin me' } };
    const [created] = await mutateConcurrently(['bob'], 'createPost', () => input, 'post { postId }');
    const { postId } = created.post;
    const pin = { communityId: 'gardeners', placement: 'DEFAULT', postId };
    const [, deleted] = await Promise.all([
      mutateConcurrently(['alice'], 'pinPost', () => pin, 'pin { placement }'),
      mutateConcurrently(['bob'], 'deletePost', () => ({ postId }), 'post { postId }'),
    ]);
    expect(countDone(deleted)).toBe(1);
    expect(await stored.pins.countDocuments({ networkId: 'default', referenceId: postId })).toBe(0);
  }
  await expectConsistent();
}, 240_000);

test('numbers concurrently created comments of one post without gaps, and counts them exactly while others are deleted', async () => {
  const input = (n: number) => ({ referenceId: 'compost', data: { text: `comment ${n}` } });
  const first = await mutateConcurrently(people, 'createComment', input, 'comment { commentId segmentNumber }');
  expect(countDone(first)).toBe(MANY);
  const segments = first.map(({ comment }) => comment.segmentNumber).sort((one, other) => one - other);
  expect(segments).toEqual(segments.map((_, index) => segments[0] + index));
  const root = first[0].comment.commentId;
  const deleters = people.slice(1, 40);
  const [deletions] = await Promise.all([
    mutateConcurrently(
      deleters,
      'deleteComment',
      (n) => ({ commentId: first[n + 1].comment.commentId }),
      'comment { commentId }',
    ),
    mutateConcurrently(people, 'createComment', (n) => ({ ...input(n), parentId: root }), 'comment { commentId }'),
  ]);
  expect(countDone(deletions)).toBe(deleters.length);
  await expectConsistent();
}, 240_000);

test('counts concurrent flags and reactions on one comment once per user', async () => {
  const commentId = 'tomatoes-carol';
  const before = (await stored.comments.findOne({ networkId: 'default', commentId }))!;
  const reaction = { referenceType: 'COMMENT', referenceId: commentId, reactionName: 'constructor' };
  await Promise.all([
    mutateConcurrently(
      [...people, ...people.slice(0, 20)],
      'flagComment',
      () => ({ commentId }),
      'comment { commentId }',
    ),
    mutateConcurrently([...people, ...people.slice(0, 20)], 'addReaction', () => reaction, 'reaction { reactionId }'),
  ]);
  const after = (await stored.comments.findOne({ networkId: 'default', commentId }))!;
  expect(after.flagCount - before.flagCount).toBe(MANY);
  expect(after.reactionsCount - before.reactionsCount).toBe(MANY);
  await expectConsistent();
}, 240_000);

test('applies each of the concurrent updates of one post completely or rejects it', async () => {
  const files = ['tomatoes-red', 'tomatoes-yellow'];
  const { userId } = (await stored.files.findOne({ networkId: 'default', fileId: files[0]! }))!;
  const input = { targetType: 'USER', targetId: userId, data: { title: 'a', text: 'b' } };
  const [created] = await mutateConcurrently([userId], 'createPost', () => input, 'post { postId }');
  const { postId } = created.post;
  const attachments = (n: number) => [{ type: n % 2 ? 'FILE' : 'IMAGE', fileId: files[n % 2] }];
  const users = people.slice(0, 20).map(() => userId);
  const changed = await mutateConcurrently(
    users,
    'updatePost',
    (n) => ({ postId, attachments: attachments(n) }),
    'post { postId }',
  );
  expect(countDone(changed)).toBeGreaterThan(0);
  for (const answer of changed) if (answer.code) expect(answer.code).toBe('CONFLICT');
  expect((await postOf(postId)).childrenNumber).toBe(1);
  await expectConsistent();
}, 240_000);

test('counts all concurrent views, and each viewer once', async () => {
  const { impression, reach } = await postOf('pruning');
  await mutateConcurrently(
    [...people, ...people],
    'recordViews',
    () => ({ postIds: ['pruning', 'tomatoes'] }),
    'postIds',
  );
  const after = await postOf('pruning');
  expect([after.impression - impression, after.reach - reach]).toEqual([2 * MANY, MANY]);
}, 240_000);

test('flags added while flags are cleared are counted exactly', async () => {
  const users = people.slice(0, 40);
  await Promise.all([
    mutateConcurrently(users, 'flagPost', () => ({ postId: 'pruning' }), 'post { postId }'),
    mutateConcurrently(['alice', 'admin', 'alice'], 'clearPostFlags', () => ({ postId: 'pruning' }), 'post { postId }'),
  ]);
  await expectConsistent();
}, 240_000);

test('concurrent creation, deletion and views of stories leave exact counts and targets', async () => {
  const target = { targetType: 'COMMUNITY', targetId: 'harvest-fair', dataType: 'TEXT', data: { text: 'Now' } };
  const admins = people.slice(0, 30).map(() => 'admin');
  const created = await mutateConcurrently(admins, 'createStory', () => target, 'story { storyId }');
  expect(countDone(created)).toBe(30);
  const { storyId } = created[0].story;
  await Promise.all([
    mutateConcurrently([...people, ...people.slice(0, 20)], 'markStorySeen', () => ({ storyId }), 'story { storyId }'),
    mutateConcurrently(
      admins.slice(1),
      'deleteStory',
      (n) => ({ storyId: created[n + 1].story.storyId }),
      'story { storyId }',
    ),
  ]);
  const seen = (await stored.stories.findOne({ networkId: 'default', storyId }))!;
  expect([seen.impression, seen.reach]).toEqual([MANY + 20, MANY]);
  await expectConsistent();
}, 240_000);

test('counts concurrent votes once per user, and none after the poll is closed', async () => {
  const pollId = 'shared-bed';
  const votesOf = async () => {
    const { answers } = (await stored.polls.findOne({ networkId: 'default', pollId }))!;
    return answers.reduce((total, answer) => total + answer.voteCount, 0);
  };
  const before = await votesOf();
  const ids = ['shared-bed-peas', 'shared-bed-beets', 'shared-bed-tomatoes'];
  const inputOf = (n: number) => ({ pollId, answerIds: [ids[n % 3]!] });
  const votes = await mutateConcurrently([...people, ...people.slice(0, 20)], 'votePoll', inputOf, 'poll { pollId }');
  expect(countDone(votes)).toBe(MANY);
  expect(await votesOf()).toBe(before + MANY);
  await Promise.all([
    mutateConcurrently(people.slice(0, 20), 'unvotePoll', () => ({ pollId }), 'poll { pollId }'),
    mutateConcurrently(['alice'], 'closePoll', () => ({ pollId }), 'poll { pollId }'),
    mutateConcurrently(['erin', 'frank', 'grace'], 'votePoll', inputOf, 'poll { pollId }'),
  ]);
  expect(await votesOf()).toBe(await stored.pollVotes.countDocuments({ networkId: 'default', pollId }));
  await expectConsistent();
}, 240_000);

test('records that are flagged and deleted concurrently leave no flag mark on their community', async () => {
  for (let round = 0; round < 4; round += 1) {
    const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'Now or never' } };
    const [created] = await mutateConcurrently(['bob'], 'createPost', () => input, 'post { postId }');
    const { postId } = created.post;
    const comment = { referenceId: 'compost', data: { text: 'Now or never' } };
    const [commented] = await mutateConcurrently(['bob'], 'createComment', () => comment, 'comment { commentId }');
    const { commentId } = commented.comment;
    const users = people.slice(0, 15);
    const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'like' };
    await Promise.all([
      mutateConcurrently(users, 'addReaction', () => reaction, 'reaction { reactionId }'),
      mutateConcurrently(users, 'flagPost', () => ({ postId }), 'post { postId }'),
      mutateConcurrently(users, 'flagComment', () => ({ commentId }), 'comment { commentId }'),
      mutateConcurrently(['bob'], 'deletePost', () => ({ postId }), 'post { postId }'),
      mutateConcurrently(['bob'], 'deleteComment', () => ({ commentId }), 'comment { commentId }'),
    ]);
  }
  await expectConsistent();
  const where = { networkId: 'default', targetType: 'community' as const, targetId: 'gardeners' };
  const flagged = { ...where, flagCount: { $gt: 0 }, isDeleted: false };
  const community = (await stored.communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!;
  expect(community.hasFlaggedPost).toBe((await stored.posts.countDocuments(flagged)) > 0);
  expect(community.hasFlaggedComment).toBe((await stored.comments.countDocuments(flagged)) > 0);
}, 240_000);
