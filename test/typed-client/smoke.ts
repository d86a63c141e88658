/** A program on the client that public packages generate from `openapi.json`; compiled against the generated types. */
import createClient from 'openapi-fetch';
import type { paths } from './generated.d.ts';

const { URL: baseUrl = '', API_KEY: apiKey = '' } = process.env;
const client = createClient<paths>({ baseUrl });

function ok<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`The request failed: ${JSON.stringify(error)}`);
  return data;
}

function equal<Value>(actual: Value, expected: Value): void {
  if (actual !== expected) throw new Error(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}

const session = ok(
  await client.POST('/api/v5/sessions', {
    headers: { 'X-API-Key': apiKey },
    body: { userId: 'alice', deviceId: 'typed-client' },
  }),
);
client.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${session.accessToken}`);
  },
});

const read = ok(await client.GET('/api/v3/posts/{postId}', { params: { path: { postId: 'seedlings' } } }));
equal(read.posts[0]?.postId, 'seedlings');
equal(
  read.users.some(({ userId }) => userId === 'alice'),
  true,
);

const created = ok(
  await client.POST('/api/v4/posts', {
    body: { targetType: 'community', targetId: 'gardeners', data: { text: 'From a typed client' } },
  }),
);
const postId = created.posts[0]!.postId;

const page = ok(
  await client.GET('/api/v5/posts', {
    params: { query: { targetType: 'community', targetId: 'gardeners' } },
  }),
);
equal(page.posts[0]?.postId, postId);

const comment = ok(
  await client.POST('/api/v3/comments', {
    body: { referenceType: 'post', referenceId: postId, data: { text: 'A comment' } },
  }),
);
equal(comment.comments[0]?.referenceId, postId);
ok(await client.DELETE('/api/v4/posts/{postId}', { params: { path: { postId } } }));

const missing = await client.GET('/api/v3/posts/{postId}', { params: { path: { postId: 'no-such-post' } } });
equal(missing.error?.code, 400400);

// @ts-expect-error The types refuse a path that the interface does not have.
await client.GET('/api/v3/no-such-path');
// @ts-expect-error The types refuse a body without its required fields.
const refused = await client.POST('/api/v4/posts', { body: { targetType: 'community' } });
equal(refused.error?.code, 500000);

console.log('The typed client works.');
