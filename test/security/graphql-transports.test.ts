import type { CommandStartedEvent } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { execute, GRAPHQL_TRANSPORTS, type Operation } from '../support/transports.ts';

let gateway: TestGateway;
const commands: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  gateway.services.store.client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    commands.push(JSON.stringify(command));
  });
});
afterAll(() => gateway.close());

/** What runs code in the database, or has it explained. */
const CODE = /\$where|\$function|\$accumulator|mapReduce|"explain"/;

/** No command runs code in the database or holds what an attack marked, and others are served. */
afterEach(async () => {
  for (const command of commands.splice(0)) {
    expect(command).not.toMatch(CODE);
    expect(command).not.toContain(MARK);
  }
  expect((await gateway.rest('/api/v3/posts/seedlings', { as: 'carol' })).status).toBe(200);
});

const MARK = 'marked-by-an-attack';
const FAILURE = '... on OperationError { code path }';

async function counts(): Promise<number[]> {
  const { posts, comments, flags, users, messages, communityUsers } = gateway.services.store.collections;
  const all = [posts, comments, flags, users, messages, communityUsers] as (typeof posts)[];
  return Promise.all(all.map((collection) => collection.countDocuments({ networkId: 'default' })));
}

/** What a request is told that is rejected as a whole, and never a failure of the gateway. */
const REJECTED =
  /^(BAD_REQUEST|INVALID_PARAMETERS|BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED|HTTP 4\d\d|closed with 4\d\d\d)/;

/** Code as the name of a field, rather than in a text. */
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

/** What is refused as a whole: errors, no data, nothing written. */
const REFUSED: Array<[behaviour: string, operation: Operation]> = [
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
    'records nested without end',
    { as: 'bob', query: `{ post(postId: "x") ${'{ childPosts '.repeat(40)}{ postId }${' }'.repeat(40)} }` },
  ],
  ['data nested beyond the limit of bodies', createPost(nested(200))],

  [
    'arguments that ask for an explanation',
    { as: 'bob', query: '{ communities(explain: true) { edges { cursor } } }' },
  ],
  ...['x', 'e30', position, `AAAAAAAA${position}`, 'x'.repeat(2_000)].map((after): [string, Operation] => [
    `the crafted cursor ${after.slice(0, 24)} of ${after.length} characters`,
    {
      as: 'bob',
      query: 'query ($after: String) { contentFeed(first: 2, after: $after) { edges { cursor } } }',
      variables: { after },
    },
  ]),
];

/** What is answered with a typed failure: its code, and nothing written. */
const FAILED: Array<[behaviour: string, operation: Operation, code: string]> = [
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
];

describe.each(GRAPHQL_TRANSPORTS)('%s', (transport) => {
  test.each(REFUSED)('refuses %s', async (_, operation) => {
    const before = await counts();
    const { data, errors } = await execute(gateway, transport, operation);
    expect(errors.length).toBeGreaterThan(0);
    expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
    expect(JSON.stringify(errors)).not.toMatch(/node_modules|\bat \w+ \(|Mongo|lmdb/);
    expect(await counts()).toEqual(before);
  });

  test.each(FAILED)('answers %s with a typed failure', async (_, operation, code) => {
    const before = await counts();
    const variables = operation.query.includes('$id') ? { id: CHAT.message('secret-plan') } : operation.variables;
    const { data, errors } = await execute(gateway, transport, { ...operation, ...(variables && { variables }) });
    const answer = data && (Object.values(data)[0] as { code?: string });
    expect([answer?.code ?? errors[0]?.extensions?.code]).toEqual([code]);
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['nested beyond the limit of data', nested(40)],
    ['with the key __proto__', JSON.parse('{"__proto__": {"isAdmin": true}}')],
    ['with the key __proto__ further down', JSON.parse('{"a": [{"__proto__": 1}]}')],
    ['with the keys constructor and prototype', { constructor: { prototype: { isAdmin: true } } }],
  ])('refuses free data %s', async (_, metadata) => {
    const before = await counts();
    const { data, errors } = await execute(gateway, transport, createPost(metadata));
    // Bodies and frames that hold such data are rejected before they are parsed as GraphQL.
    for (const { message, extensions } of errors) {
      expect(extensions?.code ?? message).toMatch(REJECTED);
    }
    if (errors.length === 0) expect(data.createPost).toEqual({ code: 'INVALID_PARAMETERS', path: ['metadata'] });
    expect(await counts()).toEqual(before);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('keeps operators and dotted keys in free data as they came', async () => {
    const metadata = { $set: { isDeleted: true }, 'a.b': 1, $where: 'sleep(1000)' };
    const { data } = await execute(gateway, transport, createPost(metadata));
    expect(data.createPost.post.metadata).toEqual(metadata);
    const written = commands.splice(0).filter((command) => CODE.test(command));
    expect(written.length).toBeGreaterThan(0);
    // The free data of a record that is inserted, as a value: nowhere else, and no filter or pipeline.
    const asData = JSON.stringify(metadata);
    for (const command of written) {
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
      // The word itself may be the name of an operator: as text it stands between quotes, and is no key.
      for (const command of commands.splice(0)) expect(command).not.toMatch(CODE_KEYS);
      expect([word, errors, data.communities.edges]).toEqual([word, [], []]);
    }
    expect(cpuUsage().user - before).toBeLessThan(5_000_000);
  });

  test('takes the names that objects inherit as ids and names like any other', async () => {
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
])('refuses %s', async (_, selected) => {
  const query = `mutation ($input: CreateWebhookEndpointInput!) { answer: createWebhookEndpoint(input: $input) { ${FAILURE} } }`;
  const selection = `subscription { postCreated { ${selected} } }`;
  const input = { url: 'https://example.com/', events: ['v3.post.didCreate'], selection };
  const { data } = await execute(gateway, 'graphql', { as: 'admin', query, variables: { input } });
  expect(data.answer).toEqual({ code: 'INVALID_PARAMETERS', path: ['selection'] });
});

test('refuses an array of operations as a stream', async () => {
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
