import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

async function data(query: string, as = 'bob'): Promise<Record<string, unknown>> {
  const answer = await gateway.graphql(query, { as });
  expect(answer.errors, query).toBeUndefined();
  return answer.data;
}
const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url');

test('users who see a post can read its poll, stream and room by id and as nodes', async () => {
  const nodes = [
    globalId('Poll', 'shared-bed'),
    globalId('VideoStream', 'greenhouse-tour'),
    globalId('Room', 'potting-bench'),
  ];
  const query = `{ poll(pollId: "shared-bed") { pollId } videoStream(streamId: "greenhouse-tour") { streamId } room(roomId: "potting-bench") { roomId } nodes(ids: ${JSON.stringify(nodes)}) { id } }`;
  expect(await data(query, 'erin')).toEqual({
    poll: { pollId: 'shared-bed' },
    videoStream: { streamId: 'greenhouse-tour' },
    room: { roomId: 'potting-bench' },
    nodes: nodes.map((id) => ({ id })),
  });
  expect(await data(query, 'dave')).toEqual({ poll: null, videoStream: null, room: null, nodes: [null, null, null] });
  expect(await data('{ poll(pollId: "meeting-days") { pollId } }', 'carol')).toEqual({ poll: null });
  expect(await data('{ poll(pollId: "meeting-days") { status } }', 'bob')).toEqual({ poll: { status: 'CLOSED' } });
  expect(
    await data('{ videoStream(streamId: "camera-test") { streamId } room(roomId: "rehearsal") { title } }', 'carol'),
  ).toEqual({ videoStream: null, room: { title: '' } });
});

test('lists of streams, rooms and polls contain only records visible to the viewer', async () => {
  const lists =
    '{ videoStreams(isLive: true) { edges { node { streamId } } } rooms(status: RECORDED) { edges { node { roomId } } } user(userId: "alice") { polls { edges { node { pollId } } } } }';
  const seen = JSON.stringify(await data(lists, 'erin'));
  for (const id of ['greenhouse-tour', 'seed-swap', 'shared-bed']) expect(seen).toContain(`"${id}"`);
  for (const id of ['greenhouse-tour', 'seed-swap', 'shared-bed'])
    expect(JSON.stringify(await data(lists, 'dave'))).not.toContain(`"${id}"`);
});

test('a poll is closed after its closing time', async () => {
  const { polls } = gateway.services.store.collections;
  await polls.updateOne({ networkId: gateway.networkId, pollId: 'shared-bed' }, { $set: { closedAt: new Date(0) } });
  expect(await data('{ poll(pollId: "shared-bed") { status } }')).toEqual({ poll: { status: 'CLOSED' } });
});

test('reactions and pins are visible with the record they refer to', async () => {
  const { reactions, pins } = gateway.services.store.collections;
  const reaction = (await reactions.findOne({
    networkId: gateway.networkId,
    referenceType: 'post',
    referenceId: 'grafting',
  }))!;
  const pin = (await pins.findOne({
    networkId: gateway.networkId,
    targetType: 'community',
    targetId: 'orchard-keepers',
  }))!;
  const ids = [
    globalId('Reaction', reaction.reactionId),
    globalId('Pin', pin._id.toHexString()),
    globalId('PinTarget', 'community/orchard-keepers'),
  ];
  const query = `{ nodes(ids: ${JSON.stringify(ids)}) { id } }`;
  expect(await data(query, 'carol')).toEqual({ nodes: ids.map((id) => ({ id })) });
  expect(await data(query, 'erin')).toEqual({ nodes: [null, null, null] });
  const messageReaction = (await reactions.findOne({
    networkId: gateway.networkId,
    referenceType: 'message',
    userId: 'heidi',
  }))!;
  const found = (as: string) => data(`{ reaction(reactionId: "${messageReaction.reactionId}") { userId } }`, as);
  expect(await found('carol')).toEqual({ reaction: { userId: messageReaction.userId } });
  expect(await found('dave')).toEqual({ reaction: null });
});

test('pages forward and backward return every record once', async () => {
  interface Edges {
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
    edges: Array<{ node: { postId: string } }>;
  }
  const page = async (args: string) => {
    const query = `{ community(communityId: "gardeners") { posts(${args}) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { postId } } } } }`;
    return ((await data(query)).community as { posts: Edges }).posts;
  };
  const ids = ({ edges }: Edges) => edges.map(({ node }) => node.postId);
  const all = ids(await page('first: 100'));
  const forward: string[] = [];
  let last: Edges = await page('first: 3');
  for (forward.push(...ids(last)); last.pageInfo.hasNextPage; forward.push(...ids(last)))
    last = await page(`first: 3, after: "${last.pageInfo.endCursor}"`);
  expect(forward).toEqual(all);
  const backward: string[] = [];
  last = await page('last: 4');
  for (backward.unshift(...ids(last)); last.pageInfo.hasPreviousPage; backward.unshift(...ids(last)))
    last = await page(`last: 4, before: "${last.pageInfo.startCursor}"`);
  expect(backward).toEqual(all);
});

test('lists the children of posts and the reactors of posts and comments', async () => {
  const query =
    '{ post(postId: "tomatoes") { children(first: 1) { pageInfo { hasNextPage endCursor } edges { node { postId } } } reactors(first: 10, reactionName: "like") { edges { node { userId } } } } comment(commentId: "seedlings-bob") { reactors { edges { node { reactionName userId } } } } }';
  expect(await data(query)).toMatchObject({
    post: {
      children: { pageInfo: { hasNextPage: true }, edges: [{ node: { postId: 'tomatoes-1' } }] },
      reactors: { edges: [{ node: { userId: 'ivan' } }, { node: { userId: 'carol' } }, { node: { userId: 'alice' } }] },
    },
    comment: {
      reactors: { edges: [{ node: { reactionName: 'laugh', userId: 'carol' } }, { node: { userId: 'alice' } }] },
    },
  });
  const { post } = (await data(query)) as { post: { children: { pageInfo: { endCursor: string } } } };
  const next = `{ post(postId: "tomatoes") { children(first: 5, after: "${post.children.pageInfo.endCursor}") { edges { node { postId } } } } }`;
  expect(await data(next)).toMatchObject({ post: { children: { edges: [{ node: { postId: 'tomatoes-2' } }] } } });
});

test('mutations return expected failures as OperationError', async () => {
  const flag =
    'mutation { flagPost(input: { postId: "grafting", reason: SPAM_OR_SCAMS }) { __typename ... on OperationError { code } } }';
  expect(await data(flag, 'erin')).toEqual({ flagPost: { __typename: 'OperationError', code: 'NOT_FOUND' } });
  const pin =
    'mutation { pinPost(input: { communityId: "gardeners", placement: GLOBAL, postId: "compost" }) { __typename ... on OperationError { code detail } } }';
  expect(await data(pin, 'alice')).toMatchObject({ pinPost: { code: 'INVALID_PARAMETERS' } });
});
