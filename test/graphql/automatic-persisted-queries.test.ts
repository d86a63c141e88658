import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Parameters, persisted, post, sha256, TRANSPORTS, upload } from '../support/graphql-requests.ts';

const limits = { ...OPERATION_LIMITS };
let gateway: TestGateway;
beforeAll(async () => {
  Object.assign(OPERATION_LIMITS, { persistedDocuments: 50, persistedBytes: 100_000 });
  gateway = await startTestGateway();
});
afterAll(async () => {
  Object.assign(OPERATION_LIMITS, limits);
  await gateway.close();
});

const MISS = [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }];

let count = 0;
/** A document that no other test sends. */
const newDocument = () => {
  count += 1;
  return `query Viewer${count} { viewer { userId } }`;
};

const register = (query: string) => post(gateway, { query, extensions: persisted(sha256(query)) });

describe('Apollo Client', () => {
  /** A client, and the requests that it sends. */
  async function apollo(options: { useGETForHashedQueries: boolean }) {
    const requests: Array<{ method: string; hasText: boolean }> = [];
    const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
    const http = new HttpLink({
      uri: `${gateway.url}/graphql`,
      headers: { authorization },
      fetch: (url, init) => {
        requests.push({
          method: init?.method ?? 'GET',
          hasText: /"query":|[?&]query=/.test(`${String(url)} ${String(init?.body)}`),
        });
        return fetch(url, init);
      },
    });
    const link = new PersistedQueryLink({ sha256, ...options }).concat(http);
    return { client: new ApolloClient({ link, cache: new InMemoryCache() }), requests };
  }

  test.each([
    ['POST', false],
    ['GET', true],
  ])('sends a document once for all clients, over %s', async (method, useGETForHashedQueries) => {
    const query = gql(newDocument());
    const { client, requests } = await apollo({ useGETForHashedQueries });
    const { data } = await client.query<{ viewer: object }>({ query });
    expect(data?.viewer).toMatchObject({ userId: 'alice' });
    expect(requests).toEqual([
      { method, hasText: false },
      { method: 'POST', hasText: true },
    ]);
    const next = await apollo({ useGETForHashedQueries });
    await next.client.query({ query });
    expect(next.requests).toEqual([{ method, hasText: false }]);
  });

  test('executes persisted mutations, which a GET does not', async () => {
    const query = 'mutation Follow { followUser(input: { userId: "bob" }) { __typename } }';
    const { client, requests } = await apollo({ useGETForHashedQueries: true });
    const { data } = await client.mutate<object>({ mutation: gql(query) });
    expect(data).toMatchObject({
      followUser: { __typename: expect.stringMatching(/^FollowUserPayload|OperationError$/) },
    });
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});

describe.each(TRANSPORTS)('over %s', (name, send) => {
  test('executes a document by its hash, after it was sent once with it', async () => {
    const query = newDocument();
    const extensions = persisted(sha256(query));
    const missing = await send(gateway, { extensions });
    expect(missing.errors).toMatchObject(MISS);
    expect(missing.status).toBe(name === 'WebSocket' ? 0 : name === 'server-sent events' ? 200 : 400);
    expect((await send(gateway, { query, extensions })).data).toEqual({ viewer: { userId: 'alice' } });
    expect((await send(gateway, { extensions })).data).toEqual({ viewer: { userId: 'alice' } });
  });

  test.each([
    ['documentId with a prefix', (hash: string) => ({ documentId: `sha256:${hash}` })],
    ['documentId', (hash: string) => ({ documentId: hash })],
    ['doc_id', (hash: string) => ({ doc_id: hash })],
    ['id', (hash: string) => ({ id: hash })],
  ])('accepts %s', async (_, parameters) => {
    const query = newDocument();
    await register(query);
    expect((await send(gateway, parameters(sha256(query)))).data).toEqual({ viewer: { userId: 'alice' } });
  });

  test('selects the operation by its name, and reads variables', async () => {
    const query = `query A${sha256(name).slice(0, 8)} { viewer { userId } } query B($id: String!) { user(userId: $id) { userId } }`;
    await post(gateway, { query, operationName: 'B', variables: { id: 'bob' }, extensions: persisted(sha256(query)) });
    const parameters = { extensions: persisted(sha256(query)), operationName: 'B', variables: { id: 'bob' } };
    expect((await send(gateway, parameters)).data).toEqual({ user: { userId: 'bob' } });
  });

  test('refuses the hash of another document, and keeps neither', async () => {
    const [one, other] = [newDocument(), newDocument()];
    const extensions = persisted(sha256(other));
    const refused = await send(gateway, { query: one, extensions });
    expect(refused.errors).toMatchObject([
      { message: expect.stringMatching(/SHA-256/), extensions: { code: 'BAD_REQUEST' } },
    ]);
    for (const text of [one, other])
      expect((await send(gateway, { extensions: persisted(sha256(text)) })).errors).toMatchObject(MISS);
  });
});

describe('ids in other forms', () => {
  const UNKNOWN: Array<[name: string, parameters: Parameters]> = [
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].flatMap(
      (word): Array<[string, Parameters]> => [
        [word, { documentId: word }],
        [`the hash ${word}`, { extensions: persisted(word) }],
      ],
    ),
    ['a hash in capitals', { documentId: sha256('x').toUpperCase() }],
  ];
  test.each(UNKNOWN)('%s is unknown', async (_, parameters) => {
    expect((await post(gateway, parameters)).errors).toMatchObject(MISS);
  });

  const MALFORMED: Array<[name: string, parameters: Parameters]> = [
    ['a number', { documentId: 5 }],
    ['an object', { documentId: { $ne: null } }],
    ['an empty text', { documentId: '' }],
    ['a long text', { documentId: 'x'.repeat(201) }],
    ['another version', { extensions: { persistedQuery: { version: 2, sha256Hash: sha256('x') } } }],
    ['no hash', { extensions: { persistedQuery: { version: 1 } } }],
    ['a text in place of the extension', { extensions: { persistedQuery: 'x' } }],
  ];
  test.each(MALFORMED)('%s is refused', async (_, parameters) => {
    const { status, errors } = await post(gateway, parameters);
    expect([status, errors?.[0]?.extensions?.code]).toEqual([400, 'BAD_REQUEST']);
  });
});

test.each(['id', 'doc_id'])(
  'ignores %s beside a text, for which clients use it as an id of their own',
  async (name) => {
    const { status, data } = await post(gateway, { [name]: 'query-17', query: '{ viewer { userId } }' });
    expect([status, data]).toEqual([200, { viewer: { userId: 'alice' } }]);
  },
);

test('keeps no document that is not valid', async () => {
  const texts = [
    '{ viewer {',
    '{ viewer { nothing } }',
    `{ viewer { userId } } # ${'x'.repeat(OPERATION_LIMITS.source)}`,
  ];
  for (const query of texts) {
    const extensions = persisted(sha256(query));
    expect((await post(gateway, { query, extensions })).errors?.length).toBeGreaterThan(0);
    expect((await post(gateway, { extensions })).errors).toMatchObject(MISS);
  }
});

test('removes the documents that are unused for longest beyond the limits of number and size', async () => {
  const first = newDocument();
  await register(first);
  for (let time = 0; time < 60; time += 1) await register(newDocument());
  expect((await post(gateway, { extensions: persisted(sha256(first)) })).errors).toMatchObject(MISS);
  const long = `${newDocument()} # ${'x'.repeat(30_000)}`;
  const longer = `${newDocument()} # ${'x'.repeat(40_000)}`;
  for (const query of [long, longer]) expect((await register(query)).data).toEqual({ viewer: { userId: 'alice' } });
  expect((await post(gateway, { extensions: persisted(sha256(long)) })).errors).toMatchObject(MISS);
  expect((await post(gateway, { extensions: persisted(sha256(longer)) })).data).toEqual({
    viewer: { userId: 'alice' },
  });
});

test('an unknown hash does not count as an invalid request, a wrong one does', async () => {
  const own = await startTestGateway({ RATE_LIMITS: 'on', RATE_LIMIT_INVALID: '3' });
  try {
    for (let time = 0; time < 20; time += 1)
      expect((await post(own, { extensions: persisted(sha256(`unknown ${time}`)) })).errors).toMatchObject(MISS);
    const codes: unknown[] = [];
    for (let time = 0; time < 4; time += 1) {
      const { errors } = await post(own, { query: '{ viewer { userId } }', extensions: persisted(sha256('other')) });
      codes.push(errors?.[0]?.extensions?.code);
    }
    expect(codes).toEqual(['BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST', 'RATE_LIMITED']);
  } finally {
    await own.close();
  }
});

test('counts operations that are named by a hash as those of other documents', async () => {
  const own = await startTestGateway({ RATE_LIMITS: 'on', RATE_LIMIT_READS: '3' });
  try {
    const query = newDocument();
    const extensions = persisted(sha256(query));
    await post(own, { query, extensions });
    const codes: unknown[] = [];
    for (let time = 0; time < 3; time += 1) codes.push((await post(own, { extensions })).errors?.[0]?.extensions?.code);
    expect(codes).toEqual([undefined, undefined, 'RATE_LIMITED']);
  } finally {
    await own.close();
  }
});

test('executes the mutation of an upload by its hash', async () => {
  const query =
    'mutation ($file: Upload!) { uploadFiles(input: { files: [$file] }) { ... on UploadFilesPayload { files { fileId } } } }';
  const extensions = persisted(sha256(query));
  expect((await upload(gateway, { extensions })).errors).toMatchObject(MISS);
  expect((await upload(gateway, { query, extensions })).data.uploadFiles.files).toHaveLength(1);
  expect((await upload(gateway, { extensions })).data.uploadFiles.files).toHaveLength(1);
});
