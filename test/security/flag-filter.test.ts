import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayHaveFlagged } from '../../src/domain/flag/hash-flag.ts';
import type { HashFlag } from '../../src/store/records/base.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient } from '../support/live.ts';
import { ask, mutate } from '../support/mutate.ts';

const FILTER = 'flagCount hashFlag { bits hashes hash }';

let gateway: TestGateway;
const ids: { [name: string]: string } = {};

const mutateAs = (as: string, operation: string, input: object, select: string) =>
  mutate(gateway, operation, input, { select, as });

interface Kind {
  name: string;
  /** The field that reads the record; its selection contains the filter. */
  query: () => string;
  /** The REST path, and the array that contains the record; absent for records that REST returns without a filter. */
  rest?: () => [path: string, array: string];
  flag: [operation: string, id: string];
}

/** Records of erin, who moderates nothing; bob and carol flagged each of them. */
const KINDS: Kind[] = [
  {
    name: 'post',
    query: () => `post(postId: "${ids.post}")`,
    rest: () => [`/api/v3/posts/${ids.post}`, 'posts'],
    flag: ['flagPost', 'postId'],
  },
  {
    name: 'comment',
    query: () => `comment(commentId: "${ids.comment}")`,
    rest: () => [`/api/v3/comments/${ids.comment}`, 'comments'],
    flag: ['flagComment', 'commentId'],
  },
  {
    name: 'story',
    query: () => `story(storyId: "${ids.story}")`,
    rest: () => [`/api/v4/stories/${ids.story}`, 'stories'],
    flag: ['flagStory', 'storyId'],
  },
  {
    name: 'message',
    query: () => `message(messageId: "${ids.message}")`,
    flag: ['flagMessage', 'messageId'],
  },
  {
    name: 'user',
    query: () => 'user(userId: "erin")',
    rest: () => ['/api/v3/users/erin', 'users'],
    flag: ['flagUser', 'userId'],
  },
];

beforeAll(async () => {
  gateway = await startTestGateway();
  const feed = { targetType: 'USER', targetId: 'erin' };
  ids.post = (await mutateAs('erin', 'createPost', { ...feed, data: { text: 'x' } }, 'post { postId }')).post.postId;
  const comment = { referenceType: 'POST', referenceId: ids.post, data: { text: 'x' } };
  ids.comment = (await mutateAs('erin', 'createComment', comment, 'comment { commentId }')).comment.commentId;
  const story = { ...feed, dataType: 'TEXT', data: { text: 'x' } };
  ids.story = (await mutateAs('erin', 'createStory', story, 'story { storyId }')).story.storyId;
  const channel = { channelId: 'filters', type: 'STANDARD', displayName: 'x', userIds: ['erin', 'bob', 'carol'] };
  await mutateAs('grace', 'createChannel', channel, '__typename');
  const message = { channelId: 'filters', data: { text: 'x' } };
  ids.message = (await mutateAs('erin', 'sendMessage', message, 'chatMessage { messageId }')).chatMessage.messageId;
  ids.user = 'erin';
  for (const { name, flag } of KINDS) {
    for (const as of ['bob', 'carol'])
      expect((await mutateAs(as, flag[0], { [flag[1]]: ids[name] }, '__typename')).__typename).toMatch(/Payload$/);
  }
});
afterAll(() => gateway.close());

/** The users that a filter matches, of those whose ids an attacker could try. */
const matchesOf = (filter: HashFlag | null) =>
  ['alice', 'bob', 'carol', 'erin', 'admin'].filter((id) => mayHaveFlagged(filter, id));

const EXPECTED = { erin: [], bob: ['bob'], kim: [], admin: ['bob', 'carol'] };

describe.each(KINDS)('the flag filter of a $name', ({ query, rest }) => {
  test.each(Object.entries(EXPECTED))(
    'contains what %s may see: their own flag, or all flags for a moderator',
    async (as, expected) => {
      const { found } = await ask(gateway, `{ found: ${query()} { ${FILTER} } }`, { as });
      expect([found.flagCount, matchesOf(found.hashFlag)]).toEqual([2, expected]);
      if (expected.length === 0) expect(found.hashFlag).toBeNull();
      if (!rest) return;
      const [path, array] = rest();
      const { body } = await gateway.rest(path, { as });
      expect(matchesOf(body[array][0].hashFlag)).toEqual(expected);
    },
  );
});

test('shows the whole filter of a community post to moderators of the community only', async () => {
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x' } };
  const { postId } = (await mutateAs('bob', 'createPost', post, 'post { postId }')).post;
  await mutateAs('carol', 'flagPost', { postId }, '__typename');
  for (const [as, expected] of [
    ['alice', ['carol']],
    ['bob', []],
    ['carol', ['carol']],
  ] as const) {
    const { found } = await ask(gateway, `{ found: post(postId: "${postId}") { ${FILTER} } }`, { as });
    expect([as, matchesOf(found.hashFlag)]).toEqual([as, expected]);
  }
});

test('an event contains for each subscriber the filter that they may see', async () => {
  const clients = await Promise.all(Object.keys(EXPECTED).map((as) => liveClient(gateway, as)));
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const subscriptions = clients.map((client) =>
    client.listen(`subscription ($after: String) { postUpdated(after: $after) { post { postId ${FILTER} } } }`, {
      after,
    }),
  );
  await mutateAs('erin', 'updatePost', { postId: ids.post, data: { text: 'y' } }, '__typename');
  const matches = await Promise.all(
    subscriptions.map(async (subscription) => matchesOf((await subscription.until(1))[0].post.hashFlag)),
  );
  expect(Object.fromEntries(Object.keys(EXPECTED).map((as, index) => [as, matches[index]]))).toEqual(EXPECTED);
  for (const client of clients) await client.close();
});

test('signing in does not show users who flagged them', async () => {
  const { keys } = gateway;
  const answer = await gateway.rest('/api/v5/sessions', {
    as: null,
    method: 'POST',
    headers: { 'x-api-key': keys.API_KEY },
    body: { userId: 'erin', deviceId: 'filter' },
  });
  expect(answer.body.users).toMatchObject([{ userId: 'erin', flagCount: 2, hashFlag: null }]);
});
