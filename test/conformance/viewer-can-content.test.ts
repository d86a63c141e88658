import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations } from '../support/mutate.ts';

/** Compares the `viewerCan…` fields of posts, comments, stories and polls with the outcome of the operations. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const change = mutations(() => gateway);
const USERS = ['alice', 'bob', 'carol', 'erin', 'admin'];
const GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };

type Try = readonly [operation: string, input: (id: string) => object];
interface Case {
  kind: string;
  as: string;
  operation: string;
  input: object;
  tries: { [field: string]: Try };
}

const postTries = {
  viewerCanEdit: ['updatePost', (postId: string) => ({ postId, data: { text: 'new' } })],
  viewerCanDelete: ['deletePost', (postId: string) => ({ postId })],
  viewerCanModerate: ['clearPostFlags', (postId: string) => ({ postId })],
  viewerCanPin: ['pinPost', (postId: string) => ({ communityId: 'gardeners', placement: 'DEFAULT', postId })],
  viewerCanComment: ['createComment', (referenceId: string) => ({ referenceId, data: { text: 'x' } })],
} as const;
const text = { data: { text: 'x' } };
const CASES: { [what: string]: Case } = {
  'a post in a community': {
    kind: 'post',
    as: 'bob',
    operation: 'createPost',
    input: { ...GARDENERS, ...text },
    tries: postTries,
  },
  'a post on a feed': {
    kind: 'post',
    as: 'bob',
    operation: 'createPost',
    input: { targetType: 'USER', targetId: 'bob', ...text },
    tries: postTries,
  },
  'a comment': {
    kind: 'comment',
    as: 'bob',
    operation: 'createComment',
    input: { referenceId: 'compost', ...text },
    tries: {
      viewerCanEdit: ['updateComment', (commentId) => ({ commentId, data: { text: 'new' } })],
      viewerCanDelete: ['deleteComment', (commentId) => ({ commentId })],
      viewerCanModerate: ['clearCommentFlags', (commentId) => ({ commentId })],
    },
  },
  'a story': {
    kind: 'story',
    as: 'alice',
    operation: 'createStory',
    input: { ...GARDENERS, dataType: 'TEXT', ...text },
    tries: {
      viewerCanDelete: ['deleteStory', (storyId) => ({ storyId })],
      viewerCanModerate: ['clearStoryFlags', (storyId) => ({ storyId })],
      viewerCanComment: ['createComment', (referenceId) => ({ referenceType: 'STORY', referenceId, ...text })],
    },
  },
};

test.each(Object.entries(CASES))('%s', async (_, { kind, as, operation, input, tries }) => {
  for (const [field, [attempt, inputOf]] of Object.entries(tries)) {
    for (const person of USERS) {
      const created = await change(as, operation, input, `${kind} { ${kind}Id }`);
      const id = created[kind][`${kind}Id`];
      const answer = await ask(gateway, `{ it: ${kind}(${kind}Id: "${id}") { ${field} } }`, { as: person });
      const done = await change(person, attempt, inputOf(id), '__typename');
      expect([field, person, answer.it[field]]).toEqual([field, person, !done.code]);
    }
  }
});

test('a poll', async () => {
  const answers = [{ data: 'A' }, { data: 'B' }];
  for (const person of USERS) {
    const { poll } = await change(
      'bob',
      'createPoll',
      { question: '?', answers },
      'poll { pollId answers { answerId } }',
    );
    const { pollId } = poll;
    await change('bob', 'createPost', { ...GARDENERS, dataType: 'poll', data: { pollId } }, 'post { postId }');
    const fields = async () =>
      (await ask(gateway, `{ poll(pollId: "${pollId}") { viewerCanEdit viewerCanVote } }`, { as: person })).poll;
    const vote = { pollId, answerIds: [poll.answers[0].answerId] };
    for (let votes = 0; votes < 2; votes += 1) {
      const { viewerCanVote } = await fields();
      const voted = await change(person, 'votePoll', vote, '__typename');
      expect([person, viewerCanVote]).toEqual([person, !voted.code]);
    }
    const { viewerCanEdit } = await fields();
    const edited = await change(person, 'updatePoll', { pollId, title: 'New' }, '__typename');
    expect([person, viewerCanEdit]).toEqual([person, !edited.code]);
  }
});

test('viewerCan fields of a community agree with creating posts and stories', async () => {
  for (const person of [...USERS, 'dave']) {
    const { community } = await ask(
      gateway,
      '{ community(communityId: "gardeners") { viewerCanPost viewerCanCreateStory } }',
      { as: person },
    );
    const posted = await change(person, 'createPost', { ...GARDENERS, ...text }, '__typename');
    const shown = await change(person, 'createStory', { ...GARDENERS, dataType: 'TEXT', ...text }, '__typename');
    expect([person, community]).toEqual([person, { viewerCanPost: !posted.code, viewerCanCreateStory: !shown.code }]);
  }
});
