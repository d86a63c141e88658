import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
const commands: Array<Record<string, unknown>> = [];
beforeAll(async () => {
  gateway = await openTestNetwork();
  await gateway.tokenOf('alice');
  gateway.services.store.client.on('commandStarted', ({ command }) =>
    commands.push(command as Record<string, unknown>),
  );
});
afterAll(() => gateway.close());

const PAYLOADS: unknown[] = [
  { $ne: null },
  { $gt: '' },
  { $regex: '^a' },
  { $where: 'sleep(1000)' },
  [{ $ne: 1 }],
  'x'.repeat(5_000),
];

/** Replaces path parameters with harmless text. */
const pathOf = (path: string) => path.replace(/:(\w+)/g, 'none');

describe('operator objects reach no query', () => {
  test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    // Free-form data is stored unchanged; the hostile-writes tests cover it.
    const isFreeForm = (name: string) => name === 'metadata';
    const names = Object.keys((route.params as unknown as { shape?: object }).shape ?? {}).filter(
      (name) => !isFreeForm(name),
    );
    const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]));
    commands.length = 0;
    for (const name of names) {
      for (const payload of PAYLOADS) {
        const headers = route.open ? { 'x-api-key': gateway.keys.API_KEY } : {};
        const query = new URLSearchParams(typeof payload === 'string' ? { [name]: payload } : bracketed(name, payload));
        const takesBody = route.method !== 'GET';
        const path =
          inPath.has(name) && typeof payload === 'string'
            ? route.path.replace(`:${name}`, encodeURIComponent(payload)).replace(/:(\w+)/g, 'none')
            : pathOf(route.path);
        const responses = [
          await gateway.rest(`${path}?${query}`, { method: route.method, headers, ...(takesBody && { body: {} }) }),
          ...(takesBody
            ? [await gateway.rest(path, { method: route.method, headers, body: { [name]: payload } })]
            : []),
        ];
        for (const { status } of responses) expect(status, `${name} = ${JSON.stringify(payload)}`).toBeLessThan(500);
      }
    }
    const text = JSON.stringify(commands.map(({ lsid: _lsid, $clusterTime: _time, ...command }) => command));
    for (const operator of ['$where', '$function', '$ne":null', '$regex":"^a']) expect(text).not.toContain(operator);
  });
});

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url');

function bracketed(name: string, payload: unknown): Record<string, string> {
  const [operator, value] = Object.entries(Array.isArray(payload) ? (payload[0] as object) : (payload as object))[0]!;
  return { [`${name}[${operator}]`]: String(value) };
}

describe('GraphQL rejects expensive documents', () => {
  const expectRejected = async (query: string) => {
    const { data, errors } = await gateway.graphql(query);
    expect(errors?.length).toBeGreaterThan(0);
    expect(data ?? null).toBeNull();
    return errors!;
  };

  test('fragments that fan out 2^30 times', async () => {
    const fragments = Array.from({ length: 30 }, (_, n) => `fragment F${n} on Post { ...F${n + 1} ...F${n + 1} }`).join(
      '\n',
    );
    const bomb = `{ post(postId: "seedlings") { ...F0 } } ${fragments} fragment F30 on Post { postId latestComments { commentId } }`;
    await expectRejected(bomb);
  });

  test('a field with thousands of aliases', async () => {
    const aliases = Array.from({ length: 3_000 }, (_, n) => `a${n}: __typename`).join(' ');
    await expectRejected(`{ ${aliases} }`);
  });

  test('records nested 30 levels deep', async () => {
    const depth = 30;
    await expectRejected(
      `{ post(postId: "seedlings") { ${'childPosts { '.repeat(depth)} postId ${'}'.repeat(depth)} } }`,
    );
  });

  test('pages inside pages', async () => {
    await expectRejected(
      '{ contentFeed(first: 100) { edges { node { comments(first: 100) { edges { node { replies(first: 100) { edges { node { commentId author { userId } } } } } } } } } } }',
    );
  });

  test('a list nested in itself repeatedly', async () => {
    const chain = (times: number): string =>
      times === 0 ? 'channelId' : `conversationMembers { channel { ${chain(times - 1)} } }`;
    const queryOf = (times: number) => `{ viewerChannels(first: 1) { edges { node { ${chain(times)} } } } }`;
    expect((await gateway.graphql(queryOf(2))).errors).toBeUndefined();
    const [error] = await expectRejected(queryOf(3));
    expect(error).toMatchObject({
      message: expect.stringContaining('Limit exceeded (repeats)'),
      extensions: { code: 'TOO_LARGE' },
    });
    const hidden = Array.from(
      { length: 9 },
      (_, n) => `fragment F${n} on Channel { conversationMembers { channel { ...F${n + 1} } } }`,
    ).join(' ');
    await expectRejected(
      `{ viewerChannels(first: 1) { edges { node { ...F0 } } } } ${hidden} fragment F9 on Channel { channelId }`,
    );
  });

  test('pages in nested fragments, and pages that skip many records', async () => {
    const level = (n: number) => `fragment F${n} on CommentConnection { edges { node { replies { ...F${n + 1} } } } }`;
    await expectRejected(
      `{ comments { ...F0 } } ${[0, 1, 2, 3, 4].map(level).join(' ')} fragment F5 on CommentConnection { edges { cursor } }`,
    );
    await expectRejected(
      '{ users(first: 100) { edges { node { posts(first: 1, skip: 1000) { edges { node { postId } } } } } } }',
    );
  });

  test('more than 100 fragments, which validation would compare in pairs', async () => {
    const names = Array.from({ length: 101 }, (_, n) => `F${n}`);
    const [error] = await expectRejected(
      `{ viewer { ${names.map((name) => `...${name}`).join(' ')} } } ${names.map((name) => `fragment ${name} on User { userId }`).join(' ')}`,
    );
    expect(error!.extensions).toMatchObject({ code: 'TOO_LARGE' });
  });

  test('a megabyte of tokens or braces', async () => {
    const chain = `${'channel { viewerMembership { '.repeat(1_450)} channelId ${'} } '.repeat(1_450)}`;
    for (const query of [
      `{ ${'a '.repeat(400_000)} }`,
      '{a'.repeat(300_000),
      `{ a(b: ${'['.repeat(400_000)}`,
      `{ viewerChannels { edges { node { viewerMembership { ${chain} } } } } }`,
    ]) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
        body: JSON.stringify({ query }),
      });
      expect([400, 413]).toContain(response.status);
      expect(await response.text()).toMatch(/Limit exceeded \((tokens|source|depth)\)/);
    }
  });

  test('ids, filter values and texts beyond their limits', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `v${n}`);
    for (const [query, variables] of [
      ['query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: many.map((id) => globalId('Post', id)) }],
      ['query ($v: [String!]) { communities(tags: $v) { edges { cursor } } }', { v: many }],
      ['query ($v: [String!]) { contentFeed(dataTypes: $v) { edges { cursor } } }', { v: many }],
      [
        'query ($v: [String!]!) { comments(filter: { dataTypes: { values: $v, matchType: EXACT } }) { edges { cursor } } }',
        { v: many },
      ],
      ['query ($k: String) { users(keyword: $k) { edges { cursor } } }', { k: 'a('.repeat(20_000) }],
      ['query ($k: String) { roles(keyword: $k) { edges { cursor } } }', { k: 'x'.repeat(901) }],
    ] as const) {
      const { errors } = await gateway.graphql(query, { variables });
      expect(errors?.[0]?.extensions, query).toMatchObject({ code: 'INVALID_PARAMETERS' });
    }
  });

  test('circular fragments and thousands of directives', async () => {
    await expectRejected('{ post(postId: "x") { ...A } } fragment A on Post { ...B } fragment B on Post { ...A }');
    await expectRejected(`{ viewer { userId ${'@include(if: true) '.repeat(2_000)} } }`);
  });

  test('batches', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 50 }, () => ({ query: '{ __typename }' }))),
    });
    expect(response.status).toBe(400);
  });
});

describe('bodies that are not valid requests', () => {
  const post = (path: string, body: string | Uint8Array, contentType = 'application/json') =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': contentType, 'x-api-key': gateway.keys.API_KEY },
      body: body as never,
    });

  test.each(['/graphql', '/api/v5/sessions'])('%s rejects them and keeps serving', async (path) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const cases: Array<[string | Uint8Array, string?]> = [
      ['{"a":'],
      [deep],
      [`{"userId":"x","deviceInfo":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
      ['{"__proto__":{"isAdmin":true},"userId":"x"}'],
      [new Uint8Array([0xff, 0xfe, 0x00, 0x01])],
      [`{"userId":"${'x'.repeat(2_000_000)}"}`],
      ['userId=x', 'application/x-www-form-urlencoded'],
      ['{"query":"{ viewer { userId } }"}', 'text/plain'],
      ['--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
    ];
    for (const [body, contentType] of cases) {
      const response = await post(path, body, contentType);
      expect(response.status, String(body).slice(0, 60)).toBeGreaterThanOrEqual(400);
      expect(response.status, String(body).slice(0, 60)).toBeLessThan(500);
    }
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('rejects a mutation sent by GET', async () => {
    const response = await fetch(
      `${gateway.url}/graphql?query=${encodeURIComponent('mutation { revokeSession(input: {}) { __typename } }')}`,
      {
        headers: { authorization: `Bearer ${await gateway.tokenOf('bob')}` },
      },
    );
    expect(response.status).toBe(405);
    expect((await gateway.rest('/api/v3/posts/seedlings', { as: 'bob' })).status).toBe(200);
  });
});

describe('names of inherited object members', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('treats %s as an ordinary id', async (id) => {
    expect((await gateway.rest(`/api/v3/posts/${id}`)).status).toBe(404);
    const { data } = await gateway.graphql(
      'query ($id: String!) { post(postId: $id) { postId } user(userId: $id) { userId } }',
      { variables: { id } },
    );
    expect(data).toEqual({ post: null, user: null });
  });
});

test('no query argument of the schema accepts arbitrary JSON', () => {
  const untyped = Object.values(schema.getQueryType()!.getFields()).flatMap((field) =>
    field.args
      .filter((argument) => String(argument.type).includes('JSON'))
      .map((argument) => `${field.name}.${argument.name}`),
  );
  expect(untyped).toEqual([]);
});
