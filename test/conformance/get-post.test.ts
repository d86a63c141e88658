import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { POST_ARRAYS } from '../support/side-arrays.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

test('returns a post with every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest('/api/v3/posts/seedlings');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(POST_ARRAYS);
  expect(body.posts).toHaveLength(1);
  expect(body.comments).toHaveLength(10);
  expect(new Set(body.comments.map((comment: { userId: string }) => comment.userId)).size).toBe(10);
  checkAnswer(body, { arrays: POST_ARRAYS });
});

test('absent and forbidden posts are indistinguishable', async () => {
  const absent = await gateway.rest('/api/v3/posts/no-such-post', { as: 'erin' });
  expect(absent).toMatchObject({ status: 404, body: { status: 'error', code: 400400, message: 'Post not found.' } });
  const sample = await gateway.services.store.collections.posts.findOne({
    networkId: gateway.networkId,
    targetId: 'orchard-keepers',
    feedType: 'published',
    isDeleted: false,
  });
  const forbidden = await gateway.rest(`/api/v3/posts/${sample!.postId}`, { as: 'erin' });
  expect([forbidden.status, forbidden.body]).toEqual([absent.status, absent.body]);
});

test('rejects missing, wrong and forged tokens', async () => {
  for (const authorization of [undefined, 'Bearer nonsense', `Bearer ${unsignedToken()}`]) {
    const { status, body } = await gateway.rest('/api/v3/posts/seedlings', {
      as: null,
      ...(authorization && { headers: { authorization } }),
    });
    expect([status, body.code]).toEqual([401, 400100]);
  }
});

function unsignedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: 'alice', aud: 'access', iss: 'colloquy', net: gateway.networkId, jti: 'x', iat: 1, exp: 9_999_999_999 })}.`;
}
