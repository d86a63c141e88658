import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { knownAnswers: 'returned' });
});
afterAll(() => gateway.close());

const QUERIES = [
  '{ viewer { userId displayName roles permissions } }',
  `{ post(postId: "seedlings") { postId data { text } myReactions createdAt
    author { displayName avatar { fileId } } latestComments { commentId data } } }`,
  '{ community(communityId: "gardeners") { displayName isJoined linkedCategories { name } } }',
  '{ posts(targetType: COMMUNITY, targetId: "gardeners", first: 5) { edges { node { postId } } pageInfo { hasNextPage } } }',
  '{ viewerChannels(first: 5) { edges { node { channelId viewerMarker { unreadCount } } } } }',
];

test.each(QUERIES)('the answer of a GraphQL query is kept and returned: %s', async (query) => {
  const { stats } = gateway.answers;
  const { kept, returned } = stats;
  const first = await gateway.graphql(query);
  expect(first.errors).toBeUndefined();
  await gateway.graphql(query);
  expect(stats.kept).toBe(kept + 1);
  expect(await gateway.graphql(query)).toEqual(first);
  expect(stats.returned).toBe(returned + 1);
});

test('the answer of a REST request is kept and returned', async () => {
  const { stats } = gateway.answers;
  const { kept, returned } = stats;
  for (let round = 0; round < 3; round += 1) expect((await gateway.rest('/api/v3/posts/seedlings')).status).toBe(200);
  expect([stats.kept, stats.returned]).toEqual([kept + 1, returned + 1]);
});

test('an answer whose records are all in memory is returned after one command, that of the session', async () => {
  const { stats } = gateway.answers;
  const path = '/api/v3/posts/seedlings';
  // Lists are cached when they were read twice.
  for (let round = 0; round < 4; round += 1) await gateway.rest(path);
  await expect
    .poll(async () => {
      const { returnedFromMemory } = stats;
      const commands = await gateway.commandsOf(() => gateway.rest(path));
      return [stats.returnedFromMemory - returnedFromMemory, commands];
    })
    .toEqual([1, ['find']]);
});
