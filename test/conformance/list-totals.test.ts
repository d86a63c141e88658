import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof successfulMutations>;
beforeAll(async () => {
  // A list that was read before is not read again.
  gateway = await startTestGateway({ CACHE_MB: '0' });
  mutate = successfulMutations(gateway);
});
afterAll(() => gateway.close());

const COMMUNITY = 'community(communityId: "gardeners")';
const CHANNEL = 'channel(channelId: "gardeners-chat")';
const POST = 'post(postId: "seedlings")';

/** The lists with a counter, by their parent. */
const LISTS: ReadonlyArray<[parent: string, field: string]> = [
  [COMMUNITY, 'members'],
  [COMMUNITY, 'members(memberships: [MEMBER], sortBy: DISPLAY_NAME)'],
  [COMMUNITY, 'members(memberships: [], roles: [], search: "")'],
  [CHANNEL, 'members'],
  [CHANNEL, 'members(memberships: [MEMBER], sortBy: FIRST_CREATED)'],
  [POST, 'reactors'],
  [POST, 'reactors(reactionName: "like")'],
  [POST, 'reactors(reactionName: "unused")'],
  [POST, 'reactors(reactionName: "__proto__")'],
];

interface ListAnswer {
  totalCount: number | null;
  edges: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

/** The total of a list, and the number of its records on all pages. */
async function totalsOf(parent: string, field: string, as: string) {
  const name = field.split('(')[0]!;
  let after: string | null = null;
  let listed = 0;
  let total: number | null = null;
  do {
    const paged = `first: 2${after ? `, after: "${after}"` : ''}`;
    const selected = field.includes('(') ? field.replace('(', `(${paged}, `) : `${field}(${paged})`;
    const answer = await ask(
      gateway,
      `{ ${parent} { ${selected} { totalCount edges { cursor } pageInfo { hasNextPage endCursor } } } }`,
      { as },
    );
    const [found] = Object.values(answer as Record<string, Record<string, ListAnswer>>);
    const { totalCount, edges, pageInfo } = found![name]!;
    listed += edges.length;
    total = totalCount;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
  return { total, listed };
}

test.each(LISTS)(
  '%s { %s } has as many records as its total, for each viewer and after changes',
  async (parent, field) => {
    const check = async () => {
      for (const as of ['alice', 'bob', 'heidi']) {
        const { total, listed } = await totalsOf(parent, field, as);
        expect([as, total]).toEqual([as, listed]);
      }
    };
    await check();
    await mutate('heidi', 'joinCommunity', { communityId: 'gardeners' });
    await mutate('heidi', 'addReaction', { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'like' });
    await check();
    await mutate('alice', 'blockUser', { userId: 'heidi' });
    await check();
    await mutate('alice', 'unblockUser', { userId: 'heidi' });
    await mutate('heidi', 'removeReaction', { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'like' });
    await mutate('heidi', 'leaveCommunity', { communityId: 'gardeners' });
    await check();
  },
);

const UNCOUNTED: ReadonlyArray<[parent: string, field: string]> = [
  [COMMUNITY, 'members(search: "a")'],
  [COMMUNITY, 'members(roles: ["community-moderator"])'],
  [COMMUNITY, 'members(memberships: [BANNED])'],
  [COMMUNITY, 'members(memberships: [MEMBER, BANNED])'],
  [CHANNEL, 'members(search: "a")'],
  [CHANNEL, 'members(roles: ["channel-moderator"])'],
  [CHANNEL, 'members(isDeleted: false)'],
  [CHANNEL, 'members(memberships: [MUTED])'],
];

test.each(UNCOUNTED)('%s { %s } has no total', async (parent, field) => {
  expect((await totalsOf(parent, field, 'alice')).total).toBeNull();
});

test('reactions of a named record and of a deleted one have no total', async () => {
  const { reactions } = await ask(
    gateway,
    '{ reactions(referenceType: POST, referenceId: "seedlings") { totalCount edges { cursor } } }',
  );
  expect(reactions).toEqual({ totalCount: null, edges: expect.any(Array) });
  const { createPost } = await ask(
    gateway,
    'mutation { createPost(input: { targetType: USER, targetId: "alice", data: { text: "Peas" } }) { ... on CreatePostPayload { post { postId reactors { totalCount } } } } }',
  );
  expect(createPost.post.reactors).toEqual({ totalCount: 0 });
  const { deletePost } = await ask(
    gateway,
    `mutation { deletePost(input: { postId: "${createPost.post.postId}" }) { ... on DeletePostPayload { post { reactors { totalCount } } } } }`,
  );
  expect(deletePost.post.reactors).toEqual({ totalCount: null });
});

test('a total takes no command of the database', async () => {
  for (const [parent, field] of LISTS) {
    const query = (selection: string) => `{ ${parent} { ${field} { ${selection} edges { cursor } } } }`;
    const commandsOf = (selection: string) => gateway.commandsOf(() => ask(gateway, query(selection), { as: 'alice' }));
    await commandsOf('totalCount');
    expect(await commandsOf('totalCount')).toEqual(await commandsOf(''));
  }
});

test('ids of types that do not exist, or have no global id, are refused with a hint', async () => {
  const idOf = (text: string) => Buffer.from(text).toString('base64url');
  for (const text of [
    'Nothing:a',
    'PostData:a',
    'Query:a',
    '__proto__:a',
    'constructor:a',
    'post:seedlings',
    ':a',
    'Post:',
    'Post',
    '',
  ]) {
    for (const query of [
      'query ($id: ID!) { node(id: $id) { id } }',
      'query ($id: ID!) { nodes(ids: [$id]) { id } }',
    ]) {
      const { errors } = await gateway.graphql(query, { variables: { id: idOf(text) } });
      expect([text, errors]).toMatchObject([
        text,
        [{ message: expect.stringContaining('use the value of the field `id`'), extensions: { code: 'BAD_REQUEST' } }],
      ]);
    }
  }
});
