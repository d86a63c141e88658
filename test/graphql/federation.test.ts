import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { execute, type GraphQLObjectType, type GraphQLSchema, parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_REPRESENTATIONS } from '../../schema/federation.ts';
import { createSubgraph } from '../../schema/index.ts';
import { openTestNetwork, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

/** A second subgraph, from the guide: a shop whose products are sold by users, and which adds a field to users. */
const GUIDE = readFileSync(new URL('../../docs/guides/federation.md', import.meta.url), 'utf8');
const SHOP = parse(/```graphql\n(.*?)```/s.exec(GUIDE)![1]!);

let gateway: TestGateway;
let shop: Server;
let postId: string;
const mutate = mutations(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway({ FEDERATION: 'true' });
  const post = { targetType: 'USER', targetId: 'alice', data: { text: 'about lamps' } };
  postId = (await mutate('alice', 'createPost', post, 'post { postId }')).post.postId;
  const resolvers = {
    Query: {
      products: () => [
        { sku: 'lamp', seller: { userId: 'alice' }, discussion: { postId } },
        { sku: 'chair', seller: { userId: 'bob' }, discussion: { postId: 'no-such-post' } },
      ],
    },
    User: {
      __resolveReference: ({ userId }: { userId: string }) => ({ userId }),
      points: ({ userId }: { userId: string }) => userId.length,
    },
  };
  const yoga = createYoga({ schema: buildSubgraphSchema([{ typeDefs: SHOP, resolvers }]), logging: false });
  shop = createServer(yoga);
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await gateway.close();
  await new Promise((resolve) => shop.close(resolve));
});

async function entities(representations: unknown, as: string | null = 'alice', selection = '__typename') {
  const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${selection} } }`;
  const { data, errors } = await gateway.graphql<{ _entities: Array<object | null> }>(query, {
    as,
    variables: { representations },
  });
  return { found: data?._entities, errors: errors?.map(({ extensions }) => [extensions?.code, extensions?.detail]) };
}

/** The schema of a router over both subgraphs, which forwards the authorization header. */
async function route(authorization: string): Promise<GraphQLSchema> {
  const { data } = await gateway.graphql<{ _service: { sdl: string } }>('{ _service { sdl } }');
  const { supergraphSdl, errors } = composeServices([
    { name: 'colloquy', url: `${gateway.url}/graphql`, typeDefs: parse(data._service.sdl) },
    { name: 'shop', url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/graphql`, typeDefs: SHOP },
  ]);
  expect(errors ?? []).toEqual([]);
  return getStitchedSchemaFromSupergraphSdl({
    supergraphSdl: supergraphSdl!,
    httpExecutorOpts: { headers: { authorization } },
  });
}

test('a router composes the schema with a second subgraph, and reads records of both in one query', async () => {
  const schema = await route(`Bearer ${await gateway.tokenOf('alice')}`);
  const document = parse(`{
    products { sku seller { displayName points } discussion { postId author { userId } } }
    user(userId: "bob") { userId points }
  }`);
  const { data, errors } = await execute({ schema, document });
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    products: [
      {
        sku: 'lamp',
        seller: { displayName: expect.any(String), points: 5 },
        discussion: { postId, author: { userId: 'alice' } },
      },
      {
        sku: 'chair',
        seller: { displayName: expect.any(String), points: 3 },
        discussion: { postId: 'no-such-post', author: null },
      },
    ],
    user: { userId: 'bob', points: 3 },
  });
});

test('every type with a public id is an entity with that id as its key', async () => {
  const { data } = await gateway.graphql<{ _service: { sdl: string } }>('{ _service { sdl } }', { as: null });
  const keys = [...data._service.sdl.matchAll(/^type (\w+) .*@key\(fields: "(\w+)"\)/gm)];
  const ids = keys.map(([, type, key]) => {
    const fields = (createSubgraph().getType(type!) as GraphQLObjectType).getFields();
    return [type, String(fields[key!]?.type)];
  });
  expect(ids).toEqual(ids.map(([type]) => [type, 'String!']));
  const expected = ['Category', 'Channel', 'Comment', 'Community', 'File', 'Message', 'Poll', 'Post', 'Story', 'User'];
  expect(ids.map(([type]) => type)).toEqual(expect.arrayContaining(expected));
});

test('without the setting there is no subgraph', async () => {
  const other = await openTestNetwork();
  const { errors } = await other.graphql('{ _service { sdl } }');
  expect(errors?.[0]?.message).toContain('Cannot query field "_service"');
  await other.close();
});

test('_entities returns records in the order of the representations, and null for absent and forbidden ones', async () => {
  const hidden = await mutate(
    'bob',
    'createCommunity',
    { displayName: 'Hidden', isPublic: false, isDiscoverable: false },
    'community { communityId }',
  );
  const { communityId } = hidden.community;
  const representations = [
    { __typename: 'User', userId: 'bob' },
    { __typename: 'Post', postId },
    { __typename: 'Post', postId: 'no-such-post' },
    { __typename: 'Community', communityId },
  ];
  const selection = '__typename ... on User { userId } ... on Post { postId author { userId } }';
  const seen = [
    { __typename: 'User', userId: 'bob' },
    { __typename: 'Post', postId, author: { userId: 'alice' } },
    null,
  ];
  expect(await entities(representations, 'alice', selection)).toEqual({ found: [...seen, null] });
  expect((await entities(representations, 'bob', selection)).found?.[3]).toEqual({ __typename: 'Community' });
});

test('_entities rejects what is not a representation of an entity, without a session nothing is read', async () => {
  const bad = [
    5,
    'User',
    [],
    {},
    { __typename: 'Query' },
    { __typename: 'PageInfo', id: 'x' },
    { __typename: '__proto__', userId: 'alice' },
    { __typename: ['User'], userId: 'alice' },
    { __typename: { toString: 1 }, userId: 'alice' },
    { __typename: 'User' },
    { __typename: 'User', userId: 5 },
    { __typename: 'User', userId: { $ne: null } },
    { __typename: 'User', userId: ['alice'] },
    { __typename: 'User', userId: 'x'.repeat(201) },
  ];
  for (const representation of bad) {
    const { found, errors } = await entities([{ __typename: 'User', userId: 'bob' }, representation]);
    expect([representation, found?.[1] ?? null, errors?.[0]?.[0]]).toEqual([
      representation,
      null,
      'INVALID_PARAMETERS',
    ]);
  }
  const tooMany = Array.from({ length: MAX_REPRESENTATIONS + 1 }, () => ({ __typename: 'User', userId: 'bob' }));
  expect((await entities(tooMany)).errors?.[0]).toEqual(['INVALID_PARAMETERS', ['representations: at most 1000']]);
  const { found, errors } = await entities([{ __typename: 'User', userId: 'bob' }], null);
  expect([found ?? [null], errors?.[0]?.[0]]).toEqual([[null], 'UNAUTHORIZED']);
});

test('_entities reads all records of a type with one command each', async () => {
  const users = ['alice', 'bob', 'carol', 'dave'].map((userId) => ({ __typename: 'User', userId }));
  const posts = Array.from({ length: 4 }, () => ({ __typename: 'Post', postId }));
  const selection = '... on User { displayName } ... on Post { postId }';
  const read = (count: number) =>
    gateway.commandsOf(() => entities([...users.slice(0, count), ...posts.slice(0, count)], 'alice', selection));
  await read(4);
  const few = await read(1);
  expect(await read(4)).toEqual(few);
  expect(few.length).toBeLessThanOrEqual(4);
});

test('REST, mutations and lists answer as without federation', async () => {
  expect((await gateway.rest(`/api/v3/posts/${postId}`)).status).toBe(200);
  const first = await gateway.graphql<{ users: { pageInfo: { endCursor: string }; edges: Array<{ node: object }> } }>(
    '{ users(first: 2) { edges { node { userId } } pageInfo { endCursor } } }',
  );
  const after = first.data.users.pageInfo.endCursor;
  const second = await gateway.graphql<typeof first.data>(
    `{ users(first: 2, after: "${after}") { edges { node { userId } } pageInfo { endCursor } } }`,
  );
  expect(second.data.users.edges[0]).not.toEqual(first.data.users.edges[0]);
});
