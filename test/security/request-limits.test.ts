import { connect } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANSWER_LIMITS, HTTP_LIMITS, OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { sseStream } from '../support/sse.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
const bytes = { ...ANSWER_LIMITS };
beforeAll(async () => {
  gateway = await startTestGateway();
  // Above the size of an introspection of the schema.
  Object.assign(ANSWER_LIMITS, { answerBytes: 1_300_000 });
});
afterAll(async () => {
  Object.assign(ANSWER_LIMITS, bytes);
  await gateway.close();
});

type Variables = Record<string, unknown>;

interface Answer {
  text: string;
  data?: unknown;
  errors?: Array<{ message: string; extensions?: Record<string, unknown> }>;
}

/** Sends one operation over each transport that carries GraphQL operations. */
const TRANSPORTS: { readonly [name: string]: (query: string, variables?: Variables) => Promise<Answer> } = {
  async POST(query, variables = {}) {
    const body = JSON.stringify({ query, variables });
    return answerOf(await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: await headers(), body }));
  },
  async GET(query, variables = {}) {
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    return answerOf(await fetch(`${gateway.url}/graphql?${parameters}`, { headers: await headers() }));
  },
  async 'server-sent events'(query, variables = {}) {
    const stream = await sseStream(gateway.url, { query, variables }, { token: await gateway.tokenOf('alice') });
    const [result] = await stream.until(1);
    stream.stop();
    return { ...result, text: JSON.stringify(result) };
  },
  async websocket(query, variables = {}) {
    const socket = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('alice'));
    socket.send({ id: 'one', type: 'subscribe', payload: { query, variables } });
    const { type, payload } = await socket.message(({ id }) => id === 'one');
    socket.close();
    const result = type === 'error' ? { errors: payload } : payload;
    return { ...result, text: JSON.stringify(result) };
  },
};

const headers = async () => ({
  'content-type': 'application/json',
  authorization: `Bearer ${await gateway.tokenOf('alice')}`,
});

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { ...JSON.parse(text), text };
}

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const aliases = (count: number, field: string) => repeat(count, (index) => `a${index}: ${field}`);

describe.each(Object.entries(TRANSPORTS))('over %s', (_, ask) => {
  const refusedBy = async (limit: string, query: string, variables?: Variables) => {
    const { data, errors, text } = await ask(query, variables);
    expect(data ?? null).toBeNull();
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'TOO_LARGE' } });
    expect(errors?.[0]?.message).toContain(`Limit exceeded (${limit})`);
    expect(text.length).toBeLessThan(1_000);
  };
  const posts = (size: string, inner: string) => `posts(first: ${size}) { edges { node { ${inner} } } }`;
  const chain = (size: string) =>
    `{ user(userId: "erin") { ${posts(size, `author { ${posts(size, `author { ${posts(size, 'postId')} }`)} }`)} } }`;

  test('counts default values of variables towards the cost limit', async () => {
    await refusedBy('cost', `query ($n: Int = 100) ${chain('$n')}`);
    await refusedBy('cost', `query ($n: Int) ${chain('$n')}`, { n: 100 });
    await refusedBy('cost', chain('100'));
    expect((await ask(`query ($n: Int = 2) ${chain('$n')}`)).errors).toBeUndefined();
  });

  test('counts a field whose resolver loads data for the viewer more than a plain field', async () => {
    const page = (field: string) => `{ users(first: 100) { edges { node { ${posts('20', aliases(50, field))} } } } }`;
    await refusedBy('cost', page('viewerCanEdit'));
    await refusedBy('cost', page('metadata'));
  });

  test('rejects more aliases of one field than the limit', async () => {
    const over = OPERATION_LIMITS.aliases + 1;
    await refusedBy('aliases', `{ viewer { ${aliases(over, 'viewerCanEdit')} } }`);
    await refusedBy('aliases', `{ ${aliases(over, '__typename')} }`);
    expect((await ask(`{ viewer { ${aliases(over - 1, 'userId')} } }`)).errors).toBeUndefined();
  });

  test('rejects more selections in one selection set than the limit', async () => {
    await refusedBy('selections', `{ viewer { ${repeat(OPERATION_LIMITS.selections + 1, () => 'userId')} } }`);
  });

  test('rejects equal fields and records that validation would compare in pairs', async () => {
    const equal = `{ ${repeat(15, () => `viewer { ${repeat(15, () => 'userId')} }`)} }`;
    await refusedBy('comparisons', equal);
  });

  test('rejects fragments that spread one another many times', async () => {
    const fragments = repeat(
      40,
      (one) =>
        `fragment F${one} on User { ${repeat(20, (other) => `...F${(one + other + 1) % 40}`)} posts { edges { node { author { ...F${(one + 7) % 40} } } } } }`,
    );
    const { errors } = await ask(`{ viewer { ...F0 } } ${fragments}`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'TOO_LARGE' });
  });

  test('rejects introspection with several aliases, and nested lists of types', async () => {
    await refusedBy('introspectionAliases', `{ ${aliases(40, '__schema { types { name } }')} }`);
    await refusedBy('introspectionAliases', `{ __schema { ${aliases(5, 'types { name }')} } }`);
    await refusedBy('introspectionDepth', '{ __schema { types { fields { type { fields { name } } } } } }');
    expect((await ask(getIntrospectionQuery())).errors).toBeUndefined();
  });

  test('reports a bounded number of invalid variables without their values', async () => {
    const input = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x${index}`, 1]));
    const query = 'mutation ($m: UpdateUserInput!) { updateUser(input: $m) { __typename } }';
    if (ask === TRANSPORTS.GET) return;
    const { errors, text } = await ask(query, { m: { ...input, userId: 'alice', secret: 'value'.repeat(1_000) } });
    expect(errors).toHaveLength(ANSWER_LIMITS.errors);
    expect(errors?.[0]?.message).toContain('Field "x0" is not defined by type "UpdateUserInput"');
    expect(text).not.toContain('valuevalue');
    expect(text.length).toBeLessThan(10_000);
  });

  test('shortens long error messages', async () => {
    const { errors } = await ask(`{ viewer { ${'x'.repeat(5_000)} } }`);
    expect(errors?.[0]?.message.length).toBeLessThanOrEqual(ANSWER_LIMITS.errorMessage);
  });

  test('ends an answer at the byte limit', async () => {
    const postId = await longPost();
    const page = (count: number) => `{ post(postId: "${postId}") { ${aliases(count, 'metadata')} } }`;
    await refusedBy('answerBytes', page(30));
    expect((await ask(page(2))).errors).toBeUndefined();
  });

  test('ends an answer at the byte limit when a response name or a stored key is toJSON', async () => {
    const postId = await longPost({ toJSON: 'a key like any other' });
    const page = (name: string, count: number) =>
      `{ ${name}: post(postId: "${postId}") { toJSON: postId ${aliases(count, 'metadata')} } }`;
    await refusedBy('answerBytes', page('post', 30));
    await refusedBy('answerBytes', page('toJSON', 30));
    expect((await ask(page('toJSON', 2))).data).toMatchObject({ toJSON: { toJSON: postId } });
  });
});

describe('over REST', () => {
  test('ends an answer at the byte limit', async () => {
    for (let index = 0; index < 20; index += 1) await longPost();
    const { status, body } = await gateway.rest('/api/v4/user-feeds/alice?options[limit]=100');
    expect([status, body.message]).toEqual([413, expect.stringContaining('Limit exceeded (answerBytes)')]);
    expect((await gateway.rest('/api/v4/user-feeds/alice?options[limit]=2')).status).toBe(200);
  });
});

test.each([40_000, 200_000, 1_000_000])(
  'answers a URL of %d characters in the documented error form',
  async (length) => {
    for (let run = 0; run < 3; run += 1) {
      const response = await fetch(`${gateway.url}/api/v3/posts?${'postIds[]=x&'.repeat(length / 12)}`);
      expect([response.status, await response.json()]).toEqual([
        431,
        expect.objectContaining({ status: 'error', message: expect.stringContaining('Limit exceeded (headerBytes)') }),
      ]);
    }
  },
);

test('accepts 30,000 characters of filters', async () => {
  const filters = `tags[]=${'x'.repeat(90)}&`.repeat(300);
  const { status } = await gateway.rest(`/api/v3/communities?${filters}`);
  expect([200, 422]).toContain(status);
});

describe.each(['/graphql', '/api/v5/sessions'])('bodies sent to %s', (path) => {
  test('are rejected before they are parsed when they contain more values than the limit', async () => {
    const values = Array.from({ length: HTTP_LIMITS.jsonValues + 1 }, (_, index) => `"k${index}":1`).join(',');
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
      // The body is not valid JSON, which only a parser would notice.
      body: `{"query":"mutation ($m: UpdateUserInput!) { __typename }","variables":{"m":{${values}}}}}}`,
    });
    const text = await response.text();
    expect(response.status).toBe(413);
    expect(text).toContain('Limit exceeded (jsonValues)');
    expect(text.length).toBeLessThan(1_000);
    const answer = JSON.parse(text);
    if (path === '/graphql') expect(answer).toMatchObject({ errors: [{ extensions: { code: 'TOO_LARGE' } }] });
    else expect(answer).toMatchObject({ status: 'error', code: 500_000 });
  });
});

test.each(['/graphql', '/api/v5/sessions'])(
  'a body sent to %s with too many bytes is refused by the name of the limit',
  async (path) => {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":"${'x'.repeat(HTTP_LIMITS.bodyBytes)}"}`,
    });
    const message = 'Limit exceeded (bodyBytes): at most 1,048,576 bytes, body of one request, uploads apart.';
    expect([response.status, await response.json()]).toEqual([
      413,
      path === '/graphql'
        ? { errors: [{ message, extensions: { code: 'TOO_LARGE' } }] }
        : { status: 'error', code: 500_000, message },
    ]);
  },
);

test('a path parameter that is too long is refused by the name of the limit', async () => {
  const { status, body } = await gateway.rest(`/api/v3/posts/${'x'.repeat(HTTP_LIMITS.pathParameter + 1)}`);
  expect([status, body]).toEqual([
    422,
    {
      status: 'error',
      code: 500_000,
      message: 'Parameters validation error!',
      data: { detail: ['Limit exceeded (pathParameter): at most 2,000 characters, one path parameter.'] },
    },
  ]);
});

const NOT_JSON = 'A body must be sent as application/json.';

test.each([
  ['application/x-www-form-urlencoded', 422, { code: 'INVALID_PARAMETERS', detail: [NOT_JSON] }],
  ['application/graphql', 422, { code: 'INVALID_PARAMETERS', detail: [NOT_JSON] }],
  ['text/plain', 400, { code: 'BAD_REQUEST' }],
])(
  'a document that is sent to /graphql as %s is refused with the content type to send',
  async (type, status, extensions) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"query":"{ viewer { userId } }"}',
    });
    const message = status === 400 ? NOT_JSON : 'Parameters validation error!';
    expect([response.status, await response.json()]).toEqual([status, { errors: [{ message, extensions }] }]);
  },
);

test.each(['text/plain', 'application/x-www-form-urlencoded'])(
  'a REST body of the type %s is refused with the content type to send',
  async (type) => {
    const response = await fetch(`${gateway.url}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-api-key': gateway.keys.API_KEY },
      body: '{"userId":"bob"}',
    });
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ status: 'error', code: 500_000, data: { detail: [NOT_JSON] } }),
    ]);
  },
);

test.each([
  ['malformed JSON', '{"query":', 400, 'BAD_REQUEST'],
  ['more than the bytes of one body', `{"query":"${'x'.repeat(HTTP_LIMITS.bodyBytes)}"}`, 413, 'TOO_LARGE'],
])('answers %s in a body sent to /graphql with a GraphQL error', async (_, body, status, code) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ errors: [{ message: expect.any(String), extensions: { code } }] });
});

test('rejects 6,000 unknown variables, or 6,000 fields of one variable, before they are parsed', async () => {
  const fields = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`x${index}`, 1]));
  const query = 'mutation ($m: UpdateUserInput!) { updateUser(input: $m) { __typename } }';
  for (const variables of [fields, { m: fields }]) {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('Limit exceeded (jsonValues)');
  }
});

test('serves other requests between rejected documents of one connection', async () => {
  const query = (index: number) =>
    `{ ${repeat(150, (field) => `f${index}_${field}: viewer { a${field} b c d e f g }`)} }`;
  const refused = Array.from({ length: 40 }, (_, index) => {
    const body = JSON.stringify({ query: query(index) });
    return `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const order: string[] = [];
  const pipeline = open((answers) => answers === 40 && order.push('pipeline'));
  const other = open((answers) => answers === 1 && order.push('other'));
  await Promise.all([pipeline.connected, other.connected]);
  pipeline.socket.write(refused.join(''));
  await new Promise((resolve) => setImmediate(resolve));
  other.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => order.length, { timeout: 30_000 }).toBe(2);
  expect(order).toEqual(['other', 'pipeline']);
  pipeline.socket.destroy();
  other.socket.destroy();
});

/** Opens a connection that counts its responses. */
function open(onAnswer: (answers: number) => void) {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
    onAnswer(text.split('HTTP/1.1 ').length - 1);
  });
  return { socket, connected: new Promise((resolve) => socket.once('connect', resolve)) };
}

async function longPost(metadata: object = {}): Promise<string> {
  const input = {
    targetType: 'USER',
    targetId: 'alice',
    data: { text: 'long' },
    metadata: { text: 'x'.repeat(60_000), ...metadata },
  };
  return (await mutate('alice', 'createPost', input, 'post { postId }')).post.postId;
}
