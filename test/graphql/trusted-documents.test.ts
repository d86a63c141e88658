import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequest, fetchExchange, Client as UrqlClient } from '@urql/core';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SignInDocument, ViewerDocument } from '../../console/generated/operations.ts';
import { emit } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Parameters, persisted, post, sha256, TRANSPORTS, upload } from '../support/graphql-requests.ts';
import { mqttClient } from '../support/mqtt-client.ts';

const VIEWER = 'query Viewer { viewer { userId } }';
const USER = 'query User($id: String!) { user(userId: $id) { userId } }';
const COMMUNITY = 'query Community { community(communityId: "gardeners") { communityId } }';
const UPLOAD =
  'mutation Upload($file: Upload!) { uploadFiles(input: { files: [$file] }) { ... on UploadFilesPayload { files { fileId } } } }';
const EVENTS = 'subscription Posts { postCreated { post { postId } } }';
const INTROSPECTION = '{ __schema { queryType { name } } }';

const ONLY = [{ extensions: { code: 'PERSISTED_QUERY_ONLY' } }];
const alice = { viewer: { userId: 'alice' } };

/** The manifests as GraphQL Code Generator, the Relay compiler and Apollo write them. */
const MANIFESTS = {
  'codegen.json': { [sha256(VIEWER)]: VIEWER, [sha256(UPLOAD)]: UPLOAD, [`sha256:${sha256(EVENTS)}`]: EVENTS },
  'relay.json': { '0a1b2c3d4e5f60718293a4b5c6d7e8f9': USER, introspection: INTROSPECTION },
  'apollo.json': {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: sha256(COMMUNITY), name: 'Community', type: 'query', body: COMMUNITY }],
  },
};

let folder: string;
const pathOf = (name: string) => join(folder, name);
const write = (name: string, manifest: unknown) =>
  writeFile(pathOf(name), typeof manifest === 'string' ? manifest : JSON.stringify(manifest, null, 2));

let open: TestGateway;
let closed: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-manifests-'));
  for (const [name, manifest] of Object.entries(MANIFESTS)) await write(name, manifest);
  const TRUSTED_DOCUMENTS = Object.keys(MANIFESTS).map(pathOf).join(', ');
  open = await startTestGateway({ TRUSTED_DOCUMENTS });
  closed = await startTestGateway({ TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: 'true', METRICS_TOKEN: 'm'.repeat(16) });
});
afterAll(async () => {
  await open.close();
  await closed.close();
  await rm(folder, { recursive: true, force: true });
});

const BY_ID: Array<[name: string, parameters: Parameters, data: unknown]> = [
  ['the hash of Code Generator', { documentId: sha256(VIEWER) }, alice],
  ['a hash with a prefix', { documentId: `sha256:${sha256(VIEWER)}` }, alice],
  [
    'the extension of Apollo Client',
    { extensions: persisted(sha256(COMMUNITY)) },
    { community: { communityId: 'gardeners' } },
  ],
  [
    'the id of Relay',
    { doc_id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9', variables: { id: 'bob' } },
    { user: { userId: 'bob' } },
  ],
  [
    'the hash of a document with another id',
    { extensions: persisted(sha256(USER)), variables: { id: 'bob' } },
    { user: { userId: 'bob' } },
  ],
  ['its text', { query: VIEWER }, alice],
  [
    'its id and its text',
    { query: USER, id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9', variables: { id: 'bob' } },
    { user: { userId: 'bob' } },
  ],
];

describe.each(TRANSPORTS)('over %s', (_, send) => {
  test.each(BY_ID)('executes a trusted document by %s', async (_name, parameters, data) => {
    for (const gateway of [open, closed]) expect(await send(gateway, parameters)).toMatchObject({ data });
  });

  test('executes other documents unless only trusted ones are allowed', async () => {
    const query = '{ viewer { displayName } }';
    expect((await send(open, { query })).data.viewer.displayName).toBe('Alice Moor');
    const refused = await send(closed, { query });
    expect(refused.errors).toMatchObject(ONLY);
    expect(refused.data ?? null).toBeNull();
  });

  const REFUSED: Array<[name: string, parameters: Parameters]> = [
    [
      'a document with its hash',
      { query: '{ viewer { roles } }', extensions: persisted(sha256('{ viewer { roles } }')) },
    ],
    [
      'a document with the id of a trusted one',
      { query: '{ viewer { roles } }', documentId: '0a1b2c3d4e5f60718293a4b5c6d7e8f9' },
    ],
    ['a trusted document with other spaces', { query: `${VIEWER} ` }],
    ['introspection', { query: '{ __schema { types { name } } }' }],
    ['the name of a type', { query: '{ __typename }' }],
    ['a document that is not valid', { query: '{ nothing' }],
    ['a subscription', { query: 'subscription { postCreated { path } }' }],
  ];
  test.each(REFUSED)('refuses %s if only trusted documents are allowed', async (_name, parameters) => {
    const { data = null, errors } = await send(closed, parameters);
    expect(data).toBeNull();
    expect(['PERSISTED_QUERY_ONLY', 'BAD_REQUEST']).toContain(errors?.[0]?.extensions?.code);
  });

  test('does not learn documents if only trusted ones are allowed', async () => {
    const query = '{ viewer { userId displayName } }';
    const extensions = persisted(sha256(query));
    await send(closed, { query, extensions });
    expect((await send(closed, { extensions })).errors).toMatchObject([
      { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
  });

  test('executes trusted introspection', async () => {
    expect((await send(closed, { id: 'introspection' })).data).toEqual({ __schema: { queryType: { name: 'Query' } } });
  });
});

test('refuses other documents with 403, and with 200 for clients of plain JSON', async () => {
  const query = '{ viewer { displayName } }';
  expect((await post(closed, { query })).status).toBe(403);
  const plain = await post(closed, { query }, { accept: 'application/json' });
  expect(plain.status).toBe(200);
  expect(plain.errors).toMatchObject(ONLY);
});

test.each(['true', 'false'])(
  'executes introspection in production if it is trusted, with only these: %s',
  async (only) => {
    const own = await startTestGateway({
      TRUSTED_DOCUMENTS: pathOf('relay.json'),
      TRUSTED_DOCUMENTS_ONLY: only,
      NODE_ENV: 'production',
      SECURE_MODE: 'true',
      API_KEY: 'production-key',
      SERVER_KEY: 's'.repeat(32),
      TOKEN_SECRET: 't'.repeat(32),
    });
    try {
      expect((await post(own, { id: 'introspection' })).data).toEqual({ __schema: { queryType: { name: 'Query' } } });
      expect((await post(own, { query: '{ __schema { types { name } } }' })).errors).toHaveLength(1);
    } finally {
      await own.close();
    }
  },
);

test('counts refusals by their code, over HTTP and WebSockets', async () => {
  for (const [, send] of TRANSPORTS) {
    await send(closed, { query: '{ viewer { displayName } }' });
    await send(closed, { id: 'unknown' });
  }
  const headers = { authorization: `Bearer ${'m'.repeat(16)}` };
  const text = await (await fetch(`${closed.url}/metrics`, { headers })).text();
  for (const code of ['PERSISTED_QUERY_ONLY', 'PERSISTED_QUERY_NOT_FOUND']) {
    for (const transport of ['graphql', 'graphql-ws'])
      expect(text).toMatch(new RegExp(`errors_total\\{[^}]*transport="${transport}"[^}]*code="${code}"`));
  }
});

test('limits trusted documents as others', async () => {
  const own = await startTestGateway({
    TRUSTED_DOCUMENTS: pathOf('codegen.json'),
    RATE_LIMITS: 'on',
    RATE_LIMIT_READS: '1',
  });
  try {
    const codes = [];
    for (let time = 0; time < 2; time += 1)
      codes.push((await post(own, { documentId: sha256(VIEWER) })).errors?.[0]?.extensions?.code);
    expect(codes).toEqual([undefined, 'RATE_LIMITED']);
  } finally {
    await own.close();
  }
});

test('uploads by a trusted mutation only', async () => {
  expect((await upload(closed, { documentId: sha256(UPLOAD) })).data.uploadFiles.files).toHaveLength(1);
  const query = UPLOAD.replace('fileId', 'fileId fileUrl');
  for (const [accept, status] of [
    ['application/graphql-response+json', 403],
    ['application/json', 200],
  ] as const)
    expect(await upload(closed, { query }, accept)).toMatchObject({ status, errors: ONLY });
});

test('urql names a document by its hash, as its exchange for persisted documents does', async () => {
  const token = await closed.tokenOf('alice');
  for (const preferGetMethod of [false, 'force'] as const) {
    const client = new UrqlClient({
      url: `${closed.url}/graphql`,
      exchanges: [fetchExchange],
      preferGetMethod,
      fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    });
    const request = createRequest(VIEWER, {}, persisted(sha256(VIEWER)) as never);
    const { data, error } = await client.executeQuery(request).toPromise();
    expect([data, error]).toEqual([alice, undefined]);
  }
});

test('graphql-ws subscribes to a trusted document', async () => {
  const token = await closed.tokenOf('alice');
  const client = createClient({
    url: `${closed.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const events = client.iterate({ query: '', extensions: persisted(sha256(EVENTS)) });
  const first = events.next();
  const create = async () => {
    const body = { targetType: 'user', targetId: 'alice', data: { text: 'Beans' } };
    await closed.rest('/api/v4/posts', { method: 'POST', body });
  };
  // The subscription starts after the first message of the socket.
  const repeating = setInterval(() => void create(), 200);
  try {
    const { value } = await first;
    expect(value).toMatchObject({ data: { postCreated: { post: { postId: expect.any(String) } } } });
  } finally {
    clearInterval(repeating);
    await client.dispose();
  }
});

test('the documents of the console are trusted', async () => {
  const viewer = await post(closed, { query: String(ViewerDocument) });
  expect(viewer.errors).toBeUndefined();
  const signIn = await post(closed, { query: String(SignInDocument), variables: {} });
  expect(signIn.errors?.[0]?.extensions?.code).not.toBe('PERSISTED_QUERY_ONLY');
});

test('REST and MQTT execute their own documents if only trusted ones are allowed', async () => {
  expect((await closed.rest('/api/v3/communities')).status).toBe(200);
  const client = await mqttClient(closed, 'alice');
  const path = `default/user/${client.userInternalId}`;
  expect(await client.subscribe(`user/${client.userInternalId}`)).toEqual([0]);
  await emit(closed, [{ type: 'user.updated', path, data: { userId: 'alice' } }]);
  const [event] = await client.until(1);
  expect(event?.data.users).toMatchObject([{ userId: 'alice' }]);
  await client.close();
});

test('the selection of a webhook must be trusted if only trusted documents are allowed', async () => {
  const create = `mutation Create($selection: String!) {
    createWebhookEndpoint(input: { url: "https://hooks.example/", events: ["v3.post.didCreate"], selection: $selection }) {
      ... on CreateWebhookEndpointPayload { endpoint { selection } }
      ... on OperationError { code detail }
    }
  }`;
  await write('webhook.json', { create, events: EVENTS });
  const gateway = await startTestGateway({ TRUSTED_DOCUMENTS: pathOf('webhook.json'), TRUSTED_DOCUMENTS_ONLY: 'true' });
  try {
    const created = async (selection: string) => {
      const authorization = `Bearer ${await gateway.tokenOf('admin')}`;
      const { data } = await post(gateway, { id: 'create', variables: { selection } }, { authorization });
      return data.createWebhookEndpoint;
    };
    expect(await created('subscription { postCreated { post { userId } } }')).toEqual({
      code: 'INVALID_PARAMETERS',
      detail: ['selection: this server accepts trusted documents only'],
    });
    expect(await created(EVENTS)).toEqual({ endpoint: { selection: EVENTS } });
  } finally {
    await gateway.close();
  }
});

describe('a start is refused', () => {
  const INVALID: Array<[name: string, manifest: unknown, message: RegExp]> = [
    ['broken JSON', '{ "a": ', /broken\.json: not JSON: /],
    ['a list', [], /broken\.json: a manifest is a JSON object/],
    [
      'a document that is no text',
      { a: { body: VIEWER } },
      /broken\.json: the value of "a" must be the text of a document/,
    ],
    [
      'an id that occurs twice',
      `{ "a": ${JSON.stringify(VIEWER)}, "a": ${JSON.stringify(USER)} }`,
      /broken\.json: the id "a" occurs twice/,
    ],
    [
      'an id with and without a prefix',
      { a: VIEWER, 'sha256:a': USER },
      /broken\.json: the id "sha256:a" occurs twice/,
    ],
    [
      'another version of the manifest of Apollo',
      { ...MANIFESTS['apollo.json'], version: 2 },
      /broken\.json: expected .*version: 1/,
    ],
    [
      'an operation without a body',
      { ...MANIFESTS['apollo.json'], operations: [{ id: 'a' }] },
      /broken\.json: operations\[0\] must have/,
    ],
    ['a syntax error', { a: '{ viewer {' }, /broken\.json: operation with the id "a": Syntax Error/],
    [
      'an unknown field',
      { a: 'query Mine { viewer { nothing } }' },
      /broken\.json: operation "Mine" with the id "a": Cannot query field "nothing"/,
    ],
    [
      'a second operation that is not valid',
      { a: 'query One { viewer { userId } } query Two { nothing }' },
      /Cannot query field "nothing"/,
    ],
    [
      'a document without an operation',
      { a: 'fragment F on User { userId }' },
      /broken\.json: operation with the id "a": /,
    ],
    [
      'a document beyond the limits',
      { a: `{ viewer { ${'userId '.repeat(3_001)} } }` },
      /broken\.json: operation with the id "a": Limit exceeded/,
    ],
  ];
  test.each(INVALID)('for %s', async (_, manifest, message) => {
    await write('broken.json', manifest);
    await expect(startTestGateway({ TRUSTED_DOCUMENTS: pathOf('broken.json') })).rejects.toThrow(message);
  });

  test('for a file that does not exist', async () => {
    await expect(startTestGateway({ TRUSTED_DOCUMENTS: pathOf('absent.json') })).rejects.toThrow(
      /absent\.json cannot be read/,
    );
  });

  test('for one id with two documents in two files, but not for a repeated file', async () => {
    await write('other.json', { [sha256(VIEWER)]: USER });
    const twice = [pathOf('codegen.json'), pathOf('other.json')].join();
    await expect(startTestGateway({ TRUSTED_DOCUMENTS: twice })).rejects.toThrow(
      /other\.json: operation with the id .* is another document in .*codegen\.json/,
    );
    const same = [pathOf('codegen.json'), pathOf('codegen.json')].join();
    await (await startTestGateway({ TRUSTED_DOCUMENTS: same })).close();
  });

  test('for trusted documents only, in a federated graph', async () => {
    await expect(startTestGateway({ TRUSTED_DOCUMENTS_ONLY: 'true', FEDERATION: 'true' })).rejects.toThrow(
      /excludes FEDERATION/,
    );
  });
});

test('an id of a manifest is not a name of the prototype', async () => {
  for (const id of ['__proto__', 'constructor'])
    expect((await post(closed, { id })).errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
  await write('names.json', `{ "__proto__": ${JSON.stringify(VIEWER)} }`);
  const own = await startTestGateway({ TRUSTED_DOCUMENTS: pathOf('names.json') });
  try {
    expect((await post(own, { id: '__proto__' })).data).toEqual(alice);
  } finally {
    await own.close();
  }
});
