import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Client, fetchExchange } from '@urql/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { formOf, multipartOf, type Parts, PREFLIGHT } from '../support/multipart.ts';
import { mutations, type Payload } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway({ FILE_LIMIT_MB: '3' });
});
afterAll(() => gateway.close());

const QUERY = `mutation ($input: UploadFilesInput!) {
  uploadFiles(input: $input) {
    __typename
    ... on UploadFilesPayload { clientMutationId files { fileId type accessType altText fileUrl attributes { name size mimeType } } }
    ... on OperationError { code path detail }
  }
}`;

async function send(
  form: FormData,
  { as = 'alice', headers = PREFLIGHT }: { as?: string | null; headers?: object } = {},
) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, ...(as !== null && { authorization: `Bearer ${await gateway.tokenOf(as)}` }) },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Payload };
}

const kept = async () => (await readdir(join(gateway.services.config.DATA_DIR, 'files'))).sort();
const records = () => gateway.services.store.collections.files.countDocuments({ networkId: 'default' });
const state = async () => [await kept(), await records()];
const picture = () => new File([PNG as never], '../beans.html', { type: 'text/html' });
const note = (text = 'Water the beans.') => new File([text], 'note.txt');

test('files of a multipart request become records; the bytes determine their types', async () => {
  const input = {
    files: [picture(), note()],
    accessType: 'NETWORK',
    altText: 'Beans',
    clientMutationId: 'mine',
  };
  const { status, body } = await send(multipartOf(QUERY, { input }));
  expect(status).toBe(200);
  const { files, ...payload } = body.data.uploadFiles;
  expect(payload).toEqual({ __typename: 'UploadFilesPayload', clientMutationId: 'mine' });
  expect(files).toMatchObject([
    { type: 'IMAGE', altText: 'Beans', attributes: { name: 'beans.html', size: PNG.length, mimeType: 'image/png' } },
    { type: 'FILE', accessType: 'NETWORK', attributes: { name: 'note.txt', size: 16, mimeType: 'text/plain' } },
  ]);
  const served = await fetch(`${gateway.url}/files/${files[0].fileId}`, {
    headers: { authorization: `Bearer ${await gateway.tokenOf('bob')}` },
  });
  expect(Buffer.from(await served.arrayBuffer()).equals(PNG)).toBe(true);
  const post = await mutate(
    'alice',
    'createPost',
    { targetType: 'USER', targetId: 'alice', dataType: 'image', data: { fileId: files[0].fileId } },
    'post { postId }',
  );
  expect(post.code).toBeUndefined();
});

test('urql uploads files unmodified', async () => {
  const token = await gateway.tokenOf('alice');
  const client = new Client({
    url: `${gateway.url}/graphql`,
    exchanges: [fetchExchange],
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}`, ...PREFLIGHT } },
  });
  const { data, error } = await client.mutation(QUERY, { input: { files: [picture()], kind: 'IMAGE' } }).toPromise();
  expect(error).toBeUndefined();
  expect(data.uploadFiles.files).toMatchObject([{ type: 'IMAGE' }]);
});

test('a refused upload keeps neither bytes nor records', async () => {
  const before = await state();
  const wrongKind = await send(multipartOf(QUERY, { input: { files: [picture(), note()], kind: 'IMAGE' } }));
  expect(wrongKind.body.data.uploadFiles).toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
  const none = await send(multipartOf(QUERY, { input: { files: [note()], altText: 'x'.repeat(1_001) } }));
  expect(none.body.data.uploadFiles).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['altText'] });
  const large = await send(multipartOf(QUERY, { input: { files: [note(), note('x'.repeat(4_000_000))] } }));
  expect([large.status, large.body.errors[0].extensions.code]).toEqual([413, 'TOO_LARGE']);
  const many = await send(multipartOf(QUERY, { input: { files: Array.from({ length: 11 }, () => note()) } }));
  expect(many.body.errors[0].extensions.code).toMatch(/^(BAD_REQUEST|TOO_LARGE)$/);
  expect(await state()).toEqual(before);
});

test('only the files that a mutation keeps are kept', async () => {
  const before = await kept();
  const query = `mutation ($one: UploadFilesInput!, $two: UploadFilesInput!) {
    one: uploadFiles(input: $one) { ... on UploadFilesPayload { files { fileId } } }
    two: uploadFiles(input: $two) { ... on OperationError { code } }
  }`;
  const { body } = await send(
    multipartOf(query, { one: { files: [note()] }, two: { files: [note()], kind: 'IMAGE' } }),
  );
  expect(body.data.two.code).toBe('UNSUPPORTED_FORMAT');
  expect((await kept()).filter((name) => !before.includes(name))).toEqual([body.data.one.files[0].fileId]);
});

test('a file is used once, and only as a file', async () => {
  const before = await records();
  const query = `mutation ($files: [Upload!]!) {
    one: uploadFiles(input: { files: $files }) { ... on UploadFilesPayload { files { fileId } } }
    two: uploadFiles(input: { files: $files }) { ... on OperationError { code detail } }
  }`;
  const { body } = await send(multipartOf(query, { files: [note()] }));
  expect(body.data.two).toEqual({ code: 'INVALID_PARAMETERS', detail: ['files: each file only once'] });
  expect(await records()).toBe(before + 1);
  const asJson = `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { ... on UpdateUserPayload { user { metadata } } } }`;
  const stored = await send(multipartOf(asJson, { input: { metadata: note() } }));
  expect(stored.body.data.updateUser.user.metadata).toEqual({});
  for (const file of ['text', { fileId: 'x' }, null, 1]) {
    const { errors } = await gateway.graphql(QUERY, { variables: { input: { files: [file] } } });
    expect(errors?.[0]?.message, String(file)).toContain('Upload');
  }
  const literal = await gateway.graphql('mutation { uploadFiles(input: { files: ["x"] }) { __typename } }');
  expect(literal.errors?.[0]?.message).toContain('Upload must be a file of a multipart request');
});

test('nobody and visitors are refused before their files are read', async () => {
  const before = await state();
  const form = () => multipartOf(QUERY, { input: { files: [note()] } });
  const nobody = await send(form(), { as: null });
  expect([nobody.status, nobody.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHORIZED']);
  const visitor = await send(form(), { as: 'visitor#uploads' });
  expect([visitor.status, visitor.body.errors[0].extensions.code]).toEqual([403, 'VISITOR_DENIED']);
  expect(await state()).toEqual(before);
});

test('a form that a page of another site can send without a preflight is refused', async () => {
  const form = () => multipartOf(QUERY, { input: { files: [note()] } });
  const { status, body } = await send(form(), { headers: {} });
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  expect(body.errors[0].message).toContain('GraphQL-Require-Preflight');
  expect((await send(form(), { headers: { 'apollo-require-preflight': 'true' } })).status).toBe(200);
});

const OPERATIONS = JSON.stringify({ query: QUERY, variables: { input: { files: [null] } } });
const MAP = JSON.stringify({ 0: ['variables.input.files.0'] });
const operations = (variables: unknown) => JSON.stringify({ query: QUERY, variables });
const map = (...paths: unknown[]) => JSON.stringify(Object.fromEntries(paths.map((path, index) => [index, path])));
const deep = '['.repeat(10_000) + ']'.repeat(10_000);

const MALFORMED: { [what: string]: Parts } = {
  'no parts': [],
  'a file first': [['0', note()]],
  'map before operations': [
    ['map', MAP],
    ['operations', OPERATIONS],
    ['0', note()],
  ],
  'operations as a file': [
    ['operations', new File([OPERATIONS], 'o.json')],
    ['map', MAP],
    ['0', note()],
  ],
  'operations that are no JSON': [
    ['operations', '{'],
    ['map', MAP],
    ['0', note()],
  ],
  'a batch': [
    ['operations', `[${OPERATIONS}]`],
    ['map', map(['0.variables.input.files.0'])],
    ['0', note()],
  ],
  'no variables': [
    ['operations', JSON.stringify({ query: QUERY })],
    ['map', MAP],
    ['0', note()],
  ],
  'deeply nested operations': [
    ['operations', `{"query":"","variables":{"a":${deep}}}`],
    ['map', MAP],
    ['0', note()],
  ],
  'a query': [
    ['operations', JSON.stringify({ query: '{ viewer { id } }', variables: { a: null } })],
    ['map', map(['variables.a'])],
    ['0', note()],
  ],
  'no map': [
    ['operations', OPERATIONS],
    ['0', note()],
  ],
  'an empty map': [
    ['operations', OPERATIONS],
    ['map', '{}'],
    ['0', note()],
  ],
  'a map that is a list': [
    ['operations', OPERATIONS],
    ['map', '[]'],
    ['0', note()],
  ],
  'a path outside of the variables': [
    ['operations', OPERATIONS],
    ['map', map(['query'])],
    ['0', note()],
  ],
  'a path into the prototype': [
    ['operations', OPERATIONS],
    ['map', map(['variables.__proto__.polluted'])],
    ['0', note()],
  ],
  'a path to the constructor': [
    ['operations', OPERATIONS],
    ['map', map(['variables.constructor.prototype'])],
    ['0', note()],
  ],
  'a path beyond a list': [
    ['operations', OPERATIONS],
    ['map', map(['variables.input.files.1'])],
    ['0', note()],
  ],
  'a path to the length of a list': [
    ['operations', OPERATIONS],
    ['map', map(['variables.input.files.length'])],
    ['0', note()],
  ],
  'a path to a value': [
    ['operations', operations({ input: { files: [1] } })],
    ['map', MAP],
    ['0', note()],
  ],
  'two paths of one file': [
    ['operations', operations({ input: { files: [null, null] } })],
    ['map', map(['variables.input.files.0', 'variables.input.files.1'])],
    ['0', note()],
  ],
  'two files of one path': [
    ['operations', OPERATIONS],
    ['map', map(['variables.input.files.0'], ['variables.input.files.0'])],
    ['0', note()],
    ['1', note()],
  ],
  'paths that are no texts': [
    ['operations', OPERATIONS],
    ['map', map([1])],
    ['0', note()],
  ],
  'a file that the map does not name': [
    ['operations', OPERATIONS],
    ['map', MAP],
    ['1', note()],
  ],
  'a missing file': [
    ['operations', OPERATIONS],
    ['map', MAP],
  ],
  'a file twice': [
    ['operations', OPERATIONS],
    ['map', MAP],
    ['0', note()],
    ['0', note()],
  ],
  'a text in place of a file': [
    ['operations', OPERATIONS],
    ['map', MAP],
    ['0', 'text'],
  ],
  'a field after the files': [
    ['operations', OPERATIONS],
    ['map', MAP],
    ['0', note()],
    ['more', 'text'],
  ],
};

describe('a malformed multipart request is refused and leaves nothing behind', () => {
  test.each(Object.entries(MALFORMED))('%s', async (_, parts) => {
    const before = await state();
    const { status, body } = await send(formOf(parts));
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.errors[0].extensions.code).toMatch(/^(BAD_REQUEST|TOO_LARGE)$/);
    expect(await state()).toEqual(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('a body that ends early, or is no form', async () => {
    const before = await state();
    for (const body of [
      '',
      '--b\r\n',
      '--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{',
      'x'.repeat(5_000),
    ]) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          ...PREFLIGHT,
          authorization: `Bearer ${await gateway.tokenOf('alice')}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        body,
      });
      expect([response.status, body.slice(0, 20)]).toEqual([400, body.slice(0, 20)]);
    }
    expect(await state()).toEqual(before);
  });

  test('a connection that breaks within a file', async () => {
    const before = await state();
    const token = await gateway.tokenOf('alice');
    const head = ['operations', 'map']
      .map(
        (name) =>
          `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${name === 'map' ? MAP : OPERATIONS}\r\n`,
      )
      .join('');
    await new Promise<void>((resolve) => {
      const request = httpRequest(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...PREFLIGHT, authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
      });
      request.on('error', () => undefined).on('close', resolve);
      request.write(
        `${head}--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n${'x'.repeat(200_000)}`,
      );
      setTimeout(() => request.destroy(), 500);
    });
    await expect.poll(state, { timeout: 20_000 }).toEqual(before);
  });
});

test('an invalid document is refused before its files are read', async () => {
  const before = await kept();
  const { status, body } = await send(multipartOf('mutation ($a: Upload) { nothing(a: $a) }', { a: note() }));
  expect([status, body.errors[0].extensions.code]).toEqual([200, 'GRAPHQL_VALIDATION_FAILED']);
  expect(await kept()).toEqual(before);
});
