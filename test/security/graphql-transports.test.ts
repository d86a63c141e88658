import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import type { TestGateway } from '../support/gateway.ts';
import { execute, GRAPHQL_TRANSPORTS, type Operation } from '../support/transports.ts';
import { expectServing, startAttackedGateway } from './attacked-gateway.ts';

let gateway: TestGateway;
let commands: string[];
beforeAll(async () => {
  ({ gateway, commands } = await startAttackedGateway());
});
afterAll(() => gateway.close());

/** Operators and commands that run code in the database or explain a query. */
const CODE = /\$where|\$function|\$accumulator|mapReduce|"explain"/;

/** No command runs code in the database or contains a value of an attack, and the gateway serves others. */
afterEach(async () => {
  for (const command of commands.splice(0)) {
    expect(command).not.toMatch(CODE);
    expect(command).not.toContain(MARK);
  }
  await expectServing(gateway);
});

const MARK = 'marked-by-an-attack';
const FAILURE = '... on OperationError { code path }';

async function counts(): Promise<number[]> {
  const { posts, comments, flags, users, messages, communityUsers } = gateway.services.store.collections;
  const all = [posts, comments, flags, users, messages, communityUsers] as (typeof posts)[];
  return Promise.all(all.map((collection) => collection.countDocuments({ networkId: 'default' })));
}

/** Errors of a request that is rejected as a whole. An internal error of the gateway is none of them. */
const REJECTION =
  /^(BAD_REQUEST|INVALID_PARAMETERS|BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED|HTTP 4\d\d|closed with 4\d\d\d)/;

/** The same operators as field names, not as text. */
const CODE_KEYS = /"(\$where|\$function|\$accumulator|mapReduce|explain)":/;

const nested = (depth: number) => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
};
const createPost = (metadata: unknown): Operation => ({
  as: 'alice',
  query: `mutation ($input: CreatePostInput!) { createPost(input: $input) { ${FAILURE} ... on CreatePostPayload { post { metadata } } } }`,
  variables: { input: { targetType: 'USER', targetId: 'alice', data: { text: MARK.slice(0, 6) }, metadata } },
});
const fanOut = `query { viewer { ...F0 } } ${Array.from({ length: 30 }, (_, n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`).join(' ')} fragment F30 on User { userId }`;
const position = Buffer.from(`d${'0'.repeat(24)}0`).toString('base64url');

/** Operations that are rejected as a whole: with errors, without data or writes. */
const REJECTED_OPERATIONS: Array<[behaviour: string, operation: Operation]> = [
  [
    'operator objects in place of text',
    { as: 'bob', query: 'query ($id: String!) { post(postId: $id) { postId } }', variables: { id: { $ne: MARK } } },
  ],
  [
    'operator objects in place of a filter value',
    {
      as: 'bob',
      query: 'query ($word: String) { communities(keyword: $word) { edges { cursor } } }',
      variables: { word: { $regex: MARK, $where: MARK } },
    },
  ],
  [
    'sorting by a field that is not listed',
    { as: 'bob', query: '{ communities(sortBy: METADATA) { edges { cursor } } }' },
  ],
  [
    'filtering by a field that is not listed',
    { as: 'bob', query: '{ users(filter: { email: "a" }) { edges { cursor } } }' },
  ],
  [
    'roles among the fields of a profile',
    {
      as: 'bob',
      query: `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { __typename } }`,
      variables: { input: { displayName: MARK, roles: ['global-admin'], isGlobalBan: false } },
    },
  ],
  [
    'a field under thousands of aliases',
    { as: 'bob', query: `{ ${Array.from({ length: 3_000 }, (_, n) => `a${n}: viewer { userId }`).join(' ')} }` },
  ],
  ['fragments that fan out 2^30 times', { as: 'bob', query: fanOut }],
  [
    'records nested 40 levels deep',
    { as: 'bob', query: `{ post(postId: "x") ${'{ childPosts '.repeat(40)}{ postId }${' }'.repeat(40)} }` },
  ],
  ['free-form data nested beyond the limit of JSON bodies', createPost(nested(200))],
  ['the argument explain', { as: 'bob', query: '{ communities(explain: true) { edges { cursor } } }' }],
  ...['x', 'e30', position, `AAAAAAAA${position}`, 'x'.repeat(2_000)].map((after): [string, Operation] => [
    `the crafted cursor ${after.slice(0, 24)} of ${after.length} characters`,
    {
      as: 'bob',
      query: 'query ($after: String) { contentFeed(first: 2, after: $after) { edges { cursor } } }',
      variables: { after },
    },
  ]),
];

/** Operations that return an `OperationError` with a code, without writes. */
const FAILED_OPERATIONS: Array<[behaviour: string, operation: Operation, code: string]> = [
  [
    'flagging a message that the caller cannot read',
    {
      as: 'erin',
      query: `mutation ($id: String!) { answer: flagMessage(input: { messageId: $id }) { ${FAILURE} } }`,
      variables: {},
    },
    'NOT_FOUND',
  ],
  [
    'marking a feed as read that the caller cannot see',
    {
      as: 'erin',
      query: `mutation { answer: markRead(input: { messageFeedId: "${CHAT.conversation}", readToSegment: 1 }) { ${FAILURE} } }`,
    },
    'NOT_FOUND',
  ],
  [
    'marking a feed as read that does not exist',
    {
      as: 'erin',
      query: `mutation { answer: markRead(input: { messageFeedId: "${'0'.repeat(24)}", readToSegment: 1 }) { ${FAILURE} } }`,
    },
    'NOT_FOUND',
  ],
  [
    'granting a role without the permission',
    {
      as: 'bob',
      query: `mutation { answer: addCommunityRoles(input: { communityId: "gardeners", roleIds: ["community-moderator"], userIds: ["bob"] }) { ${FAILURE} } }`,
    },
    'PERMISSION_DENIED',
  ],
  [
    'a mutation in the session of a visitor',
    {
      as: 'visitor#phone',
      query: `mutation { answer: addReaction(input: { referenceType: POST, referenceId: "seedlings", reactionName: "like" }) { ${FAILURE} } }`,
    },
    'VISITOR_DENIED',
  ],
  [
    'a mutation in the session of a bot',
    {
      as: 'bot#crawler',
      query: `mutation { answer: joinCommunity(input: { communityId: "gardeners" }) { ${FAILURE} } }`,
    },
    'BOT_DENIED',
  ],
];

describe.each(GRAPHQL_TRANSPORTS)('%s', (transport) => {
  test.each(REJECTED_OPERATIONS)('rejects %s', async (_, operation) => {
    const before = await counts();
    const { data, errors } = await execute(gateway, transport, operation);
    expect(errors.length).toBeGreaterThan(0);
    expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
    expect(JSON.stringify(errors)).not.toMatch(/node_modules|\bat \w+ \(|Mongo|lmdb/);
    expect(await counts()).toEqual(before);
  });

  test.each(FAILED_OPERATIONS)('returns a typed error for %s', async (_, operation, code) => {
    const before = await counts();
    const variables = operation.query.includes('$id') ? { id: CHAT.message('secret-plan') } : operation.variables;
    const { data, errors } = await execute(gateway, transport, { ...operation, ...(variables && { variables }) });
    const answer = data && (Object.values(data)[0] as { code?: string });
    expect([answer?.code ?? errors[0]?.extensions?.code]).toEqual([code]);
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['nested beyond the limit of free-form data', nested(40)],
    ['with the key __proto__', JSON.parse('{"__proto__": {"isAdmin": true}}')],
    ['with the key __proto__ further down', JSON.parse('{"a": [{"__proto__": 1}]}')],
    ['with the keys constructor and prototype', { constructor: { prototype: { isAdmin: true } } }],
  ])('rejects free-form data %s', async (_, metadata) => {
    const before = await counts();
    const { data, errors } = await execute(gateway, transport, createPost(metadata));
    // Bodies and frames that hold such data are rejected before they are parsed as GraphQL.
    for (const { message, extensions } of errors) {
      expect(extensions?.code ?? message).toMatch(REJECTION);
    }
    if (errors.length === 0) expect(data.createPost).toEqual({ code: 'INVALID_PARAMETERS', path: ['metadata'] });
    expect(await counts()).toEqual(before);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('stores operators and dotted keys in free-form data unchanged', async () => {
    const metadata = { $set: { isDeleted: true }, 'a.b': 1, $where: 'sleep(1000)' };
    const { data } = await execute(gateway, transport, createPost(metadata));
    expect(data.createPost.post.metadata).toEqual(metadata);
    const withOperators = commands.splice(0).filter((command) => CODE.test(command));
    expect(withOperators.length).toBeGreaterThan(0);
    // The operators occur only in the inserted value, never in a filter or a pipeline.
    const asData = JSON.stringify(metadata);
    for (const command of withOperators) {
      expect(command).toMatch(/^\{"insert":/);
      expect(command.replaceAll(asData, '')).not.toMatch(CODE);
    }
  });

  test('treats patterns in searches as text', async () => {
    const { cpuUsage } = process;
    const before = cpuUsage().user;
    for (const word of ['^(a+)+$', '[', '.*', '\\', '$where', `(${'a'.repeat(20)}*)*b`]) {
      const query = 'query ($word: String) { communities(keyword: $word) { edges { node { displayName } } } }';
      const { data, errors } = await execute(gateway, transport, { as: 'bob', query, variables: { word } });
      // The keyword may be the name of an operator. It may appear as a string value, not as a key.
      for (const command of commands.splice(0)) expect(command).not.toMatch(CODE_KEYS);
      expect([word, errors, data.communities.edges]).toEqual([word, [], []]);
    }
    expect(cpuUsage().user - before).toBeLessThan(5_000_000);
  });

  test('treats the names of inherited object members as ordinary ids', async () => {
    for (const id of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const query = 'query ($id: String!) { post(postId: $id) { postId } user(userId: $id) { userId } }';
      const { data, errors } = await execute(gateway, transport, { as: 'bob', query, variables: { id } });
      expect([id, errors, data]).toEqual([id, [], { post: null, user: null }]);
    }
  });
});

test.each([
  ['a webhook selection that is too large', Array.from({ length: 1_500 }, (_, n) => `a${n}: id`).join(' ')],
  ['a webhook selection that is too deep', `post ${'{ childPosts '.repeat(40)}{ postId }${' }'.repeat(40)}`],
])('rejects %s', async (_, selected) => {
  const query = `mutation ($input: CreateWebhookEndpointInput!) { answer: createWebhookEndpoint(input: $input) { ${FAILURE} } }`;
  const selection = `subscription { postCreated { ${selected} } }`;
  const input = { url: 'https://example.com/', events: ['v3.post.didCreate'], selection };
  const { data } = await execute(gateway, 'graphql', { as: 'admin', query, variables: { input } });
  expect(data.answer).toEqual({ code: 'INVALID_PARAMETERS', path: ['selection'] });
});

test('rejects an array of operations sent as an event stream', async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${await gateway.tokenOf('bob')}`,
    },
    body: JSON.stringify([{ query: '{ viewer { userId } }' }, { query: '{ viewer { userId } }' }]),
  });
  expect([response.status, await response.text()]).toEqual([400, expect.not.stringContaining('"data"')]);
});
