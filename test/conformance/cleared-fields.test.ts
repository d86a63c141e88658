import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ROUTES } from '../../rest-compat/routes.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
let ids: Awaited<ReturnType<typeof readSampleIds>>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ids = await readSampleIds(gateway);
});
afterAll(() => gateway.close());

/** Parameters that are not fields of the record: null is the same as their absence. */
const OPTIONS = ['PUT /api/v3/users userId'];

/** Fields that null clears, except where no content would remain, which is refused. */
const CONTENT = [
  'PUT /api/v3/comments/:commentId data',
  'PUT /api/v3/comments/:commentId attachments',
  'PUT /api/v4/posts/:postId data',
  'PUT /api/v5/messages/:messageId fileId',
  'PUT /api/v5/messages/:messageId thumbnailFileId',
];

const fields = ROUTES.filter(({ method }) => method === 'PUT').flatMap((route) =>
  Object.entries((route.params as z.ZodObject).shape ?? {})
    .filter(([name, field]) => field.isOptional() && !OPTIONS.includes(`${routeName(route)} ${name}`))
    .map(([name, field]) => ({ route, name, key: `${routeName(route)} ${name}`, isNullable: field.isNullable() })),
);

const isEmpty = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every((one) => one === null));

describe('null in an update clears a field or is refused', () => {
  test.each(fields)('$key', async ({ route, name, key, isNullable }) => {
    const { as = 'alice', path } = CALLS[routeName(route)]!(ids);
    const { status, body } = await gateway.rest(path, { as, method: 'PUT', body: { [name]: null } });
    if (!isNullable || (CONTENT.includes(key) && status !== 200)) {
      expect([status, body]).toMatchObject([
        422,
        { code: 500_000, data: { detail: [expect.stringContaining(isNullable ? ': ' : name)] } },
      ]);
      return;
    }
    expect([status, body.message]).toEqual([200, undefined]);
    const [record] = body[route.arrays[0]!];
    // The attachments of a post are its child posts.
    const value = record[path.includes('/posts/') && name === 'attachments' ? 'children' : name];
    expect(isEmpty(value), JSON.stringify(value)).toBe(true);
  });
});

test('null clears the text of a post that has attachments', async () => {
  const post = {
    targetType: 'user',
    targetId: 'bob',
    data: { text: 'A picture' },
    attachments: [{ type: 'image', fileId: 'tomatoes-red' }],
  };
  const created = await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body: post });
  const path = `/api/v4/posts/${created.body.posts[0].postId}`;
  const update = (body: object) => gateway.rest(path, { as: 'bob', method: 'PUT', body });
  const cleared = await update({ data: null });
  expect(cleared.body.posts[0]).toMatchObject({ childrenNumber: 1, data: { title: null, text: null } });
  expect((await update({ data: { text: 'Words' }, attachments: null })).body.posts[0]).toMatchObject({
    childrenNumber: 0,
    data: { text: 'Words' },
  });
  expect(await update({ data: null })).toMatchObject({ status: 422, body: { code: 500_000 } });
});
