import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('bob');
  // Categories are remembered for a while; every budget below is of a gateway that is warm.
  await gateway.rest('/api/v3/posts/seedlings', { as: 'bob' });
});
afterAll(() => gateway.close());

async function commandsOfQuery(query: string): Promise<number> {
  let errors: unknown;
  const commands = await gateway.commandsOf(async () => {
    ({ errors } = await gateway.graphql(query, { as: 'bob' }));
  });
  expect(errors, query).toBeUndefined();
  return commands.length;
}

/** Each counts the session's own read. */
const QUERIES: Array<[query: string, budget: number]> = [
  [
    '{ contentFeed(first: 50) { edges { node { reactors(first: 2) { edges { node { reactionName user { displayName } } } } } } } }',
    6,
  ],
  [
    '{ communities(first: 10) { edges { node { posts(first: 3) { edges { node { postId } } } pins(first: 3) { edges { node { placement } } } } } } }',
    7,
  ],
  [
    '{ poll(pollId: "shared-bed") { question isVoted answers { voteCount isVotedByUser } creator { displayName } files { fileUrl } } }',
    8,
  ],
  [
    '{ videoStream(streamId: "greenhouse-tour") { title streamer { displayName } thumbnail { fileUrl } childStreams { streamId } } }',
    8,
  ],
  [
    '{ room(roomId: "potting-bench") { title participantUsers { displayName } thumbnail { fileUrl } childRooms { roomId } } }',
    8,
  ],
  ['{ videoStreams(first: 50) { edges { node { title streamer { displayName } } } } }', 6],
  ['{ rooms(first: 50) { edges { node { title creator { displayName } } } } }', 6],
  ['{ contentFeed(first: 50) { edges { node { postId } } } }', 4],
  [
    '{ contentFeed(first: 50) { edges { node { postId data { text } author { displayName avatar { fileUrl } } community { displayName isJoined } myReactions } } } }',
    7,
  ],
  [
    '{ contentFeed(first: 50) { edges { node { childPosts { poll { question isVoted } videoStream { title } room { title } } pins { placement } isFlaggedByViewer } } } }',
    12,
  ],
  ['{ contentFeed(first: 50) { edges { node { children(first: 5) { edges { node { postId } } } } } } }', 5],
  ['{ community(communityId: "gardeners") { posts(first: 50) { edges { node { postId } } } } }', 4],
  ['{ user(userId: "erin") { posts(first: 50) { edges { node { postId } } } } }', 3],
  [
    '{ community(communityId: "gardeners") { pins(first: 50) { edges { node { placement post { postId } pinner { displayName } } } } pinTarget { lastPinsUpdatedAt } } }',
    8,
  ],
  ['{ post(postId: "seedlings") { reactors(first: 50) { edges { node { reactionName user { displayName } } } } } }', 6],
  [
    '{ post(postId: "greenhouse") { reactors(first: 50) { edges { node { reactionName } } } children(first: 5) { edges { node { postId } } } } }',
    5,
  ],
  ['{ viewer { polls(first: 50) { edges { node { question isVoted } } } } }', 5],
];

test.each(QUERIES)('%s stays within %i commands', async (query, budget) => {
  expect(await commandsOfQuery(query)).toBeLessThanOrEqual(budget);
});

test('a feed of 32 readers at once costs each of them little more than their own page', async () => {
  expect(await gateway.commandsUnderLoad('/api/v3/content-feeds?options[limit]=5', 'bob')).toBeLessThanOrEqual(4);
});

test('flagging and pinning a post take one transaction', async () => {
  const flag =
    'mutation { flagPost(input: { postId: "compost" }) { __typename ... on FlagPostPayload { post { flagCount } } } }';
  expect(await commandsOfQuery(flag)).toBeLessThanOrEqual(9);
  const unflag =
    'mutation { unflagPost(input: { postId: "compost" }) { __typename ... on UnflagPostPayload { post { flagCount } } } }';
  expect(await commandsOfQuery(unflag)).toBeLessThanOrEqual(11);
  const pin =
    'mutation { pinPost(input: { communityId: "gardeners", placement: DEFAULT, postId: "potting" }) { __typename } }';
  await gateway.tokenOf('alice');
  const commands = await gateway.commandsOf(() => gateway.graphql(pin, { as: 'alice' }));
  expect(commands.length).toBeLessThanOrEqual(8);
});
