import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };
const post = (input: object, select = 'post { postId }', as = 'bob') =>
  mutate(gateway, 'createPost', { ...GARDENERS, ...input }, { select, as });
const counts = async (communityId = 'gardeners') => {
  const { community } = await ask(gateway, 'query ($id: String!) { community(communityId: $id) { postsCount } }', {
    as: 'admin',
    variables: { id: communityId },
  });
  return community.postsCount as number;
};

test('creates a post with all fields and counts it on its target', async () => {
  const before = await counts();
  const select = `post { postId path dataType structureType feedType data { title text } tags hashtags metadata postedUserId
    mentionees { type userIds userInternalIds } childrenNumber editedAt viewerCanEdit viewerCanDelete viewerCanModerate
    feed { postCount } }`;
  const { post: created } = await post(
    {
      data: { title: 'Beans', text: 'Up already! #beans #Böhnchen #beans a#b &#39; #' },
      tags: ['news', 'news'],
      metadata: { a: { $set: 1, 'b.c': [null, true] }, __proto__x: 1 },
      mentionees: [{ userIds: ['alice', 'carol'] }, { userIds: ['alice'] }],
    },
    select,
  );
  expect(created).toMatchObject({
    dataType: 'text',
    structureType: 'TEXT',
    feedType: 'PUBLISHED',
    data: { title: 'Beans' },
    tags: ['news'],
    hashtags: ['beans', 'Böhnchen'],
    metadata: { a: { $set: 1, 'b.c': [null, true] } },
    postedUserId: 'bob',
    childrenNumber: 0,
    editedAt: null,
    viewerCanEdit: true,
    viewerCanDelete: true,
    viewerCanModerate: false,
  });
  expect(created.mentionees).toEqual([
    { type: 'USER', userIds: ['alice', 'carol'], userInternalIds: expect.any(Array) },
  ]);
  expect(created.path).toContain('/social/community/');
  expect(await counts()).toBe(before + 1);
});

test('keeps a dataType that the application defines', async () => {
  expect(
    (await post({ dataType: 'my.recipe', metadata: { eggs: 2 } }, 'post { dataType structureType }')).post,
  ).toEqual({
    dataType: 'my.recipe',
    structureType: 'TEXT',
  });
});

test('an update sets the named fields, clears null ones and keeps the others', async () => {
  const select = 'post { postId data { title text } tags hashtags metadata mentionees { userIds } editedAt }';
  const created = (
    await post(
      { data: { title: 'A', text: 'b #c' }, tags: ['t'], metadata: { m: 1 }, mentionees: [{ userIds: ['alice'] }] },
      select,
    )
  ).post;
  const update = async (input: object, as = 'bob') =>
    mutate(gateway, 'updatePost', { postId: created.postId, ...input }, { select, as });
  const { post: text } = await update({ data: { text: 'new #d' } });
  expect(text).toMatchObject({
    data: { title: 'A', text: 'new #d' },
    hashtags: ['d'],
    tags: ['t'],
    metadata: { m: 1 },
  });
  expect(text.editedAt).not.toBeNull();
  const { post: cleared } = await update({ data: { title: null }, tags: null, metadata: null, mentionees: null });
  expect(cleared).toMatchObject({ data: { title: null, text: 'new #d' }, tags: [], metadata: {}, mentionees: [] });
  expect(await update({ data: { text: '' } })).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['data', 'text'] });
  expect((await update({ data: { text: 'by a moderator' } }, 'alice')).post.data.text).toBe('by a moderator');
  expect(await update({ data: { text: 'x' } }, 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await update({ data: { text: 'x' } }, 'dave')).toMatchObject({ code: 'NOT_FOUND' });
});

test('a deleted post is hidden from all but moderators, with its pins, and can be erased', async () => {
  const created = (
    await post(
      { data: { text: 'Regret' }, attachments: [{ type: 'IMAGE', fileId: 'tomatoes-red' }] },
      'post { postId childIds }',
    )
  ).post;
  const { postId } = created;
  const pin = { communityId: 'gardeners', placement: 'DEFAULT', postId };
  await mutate(gateway, 'pinPost', pin, { select: 'pin { placement }' });
  const before = await counts();
  const remove = (as: string, input = {}) =>
    mutate(gateway, 'deletePost', { postId, ...input }, { select: 'post { isDeleted data { text } }', as });
  expect(await remove('carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await remove('bob', { permanent: true })).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await remove('bob')).post.isDeleted).toBe(true);
  expect(await counts()).toBe(before - 1);
  expect(await remove('bob')).toMatchObject({ code: 'NOT_FOUND' });
  const seen = (as: string) =>
    ask(gateway, `{ post(postId: "${postId}") { data { text } pins { placement } } }`, { as });
  expect((await seen('bob')).post).toBeNull();
  expect((await seen('alice')).post).toMatchObject({ data: { text: 'Regret' }, pins: [] });
  expect(
    await gateway.services.store.collections.pins.countDocuments({ networkId: gateway.networkId, referenceId: postId }),
  ).toBe(0);
  expect((await remove('alice', { permanent: true })).post.data.text).toBeNull();
  expect((await seen('alice')).post.data.text).toBeNull();
});

test('requires the permission to post in the target', async () => {
  const code = async (input: object, as: string) =>
    (await post({ data: { text: 'x' }, ...input }, 'post { postId }', as)).code;
  expect(await code({}, 'erin')).toBe('FORBIDDEN');
  expect(await code({}, 'dave')).toBe('BANNED');
  expect(await code({ targetId: 'orchard-keepers' }, 'bob')).toBe('NOT_FOUND');
  expect(await code({ targetId: 'nowhere' }, 'bob')).toBe('NOT_FOUND');
  expect(await code({ targetType: 'USER', targetId: 'alice' }, 'bob')).toBe('PERMISSION_DENIED');
  expect(await code({ targetType: 'USER', targetId: 'bob' }, 'bob')).toBeUndefined();
  expect(await code({ targetType: 'USER', targetId: 'alice' }, 'admin')).toBeUndefined();
  const { communities } = gateway.services.store.collections;
  const where = { networkId: gateway.networkId, communityId: 'gardeners' };
  await communities.updateOne(where, { $set: { onlyAdminCanPost: true } });
  expect([await code({}, 'bob'), await code({}, 'alice')]).toEqual(['PERMISSION_DENIED', undefined]);
  await communities.updateOne(where, { $set: { onlyAdminCanPost: false } });
});

test('rejects values out of bounds and records of others, naming the field', async () => {
  const refused = async (input: object) => {
    const { code, path } = await post({ data: { text: 'x' }, ...input }, 'post { postId }');
    return [code, path?.join('.')];
  };
  const image = { type: 'IMAGE', fileId: 'tomatoes-red' };
  expect(await refused({ data: { text: '' } })).toEqual(['INVALID_PARAMETERS', 'data.text']);
  expect(await refused({ data: { text: 'x'.repeat(20_001) } })).toEqual(['INVALID_PARAMETERS', 'data.text']);
  expect(await refused({ data: { title: 'x'.repeat(151) } })).toEqual(['INVALID_PARAMETERS', 'data.title']);
  expect(await refused({ dataType: 'nonsense' })).toEqual(['INVALID_PARAMETERS', 'dataType']);
  expect(await refused({ dataType: 'image' })).toEqual(['INVALID_PARAMETERS', 'data.fileId']);
  expect(await refused({ attachments: [image, image] })).toEqual(['INVALID_PARAMETERS', 'attachments']);
  expect(await refused({ attachments: [{ type: 'VIDEO', fileId: 'tomatoes-red' }] })).toEqual([
    'INVALID_PARAMETERS',
    'attachments',
  ]);
  const still = { type: 'FILE', fileId: 'tomatoes-red', thumbnailFileId: 'compost-guide' };
  expect(await refused({ attachments: [still] })).toEqual(['NOT_FOUND', 'attachments']);
  expect(await refused({ attachments: Array(11).fill(image) })).toEqual(['INVALID_PARAMETERS', 'attachments']);
  expect(await refused({ attachments: [{ type: 'FILE', fileId: 'compost-guide' }] })).toEqual([
    'NOT_FOUND',
    'attachments',
  ]);
  expect(await refused({ mentionees: [{ userIds: ['nobody-here'] }] })).toEqual(['INVALID_PARAMETERS', 'mentionees']);
  expect(await refused({ mentionees: [{ userIds: Array.from({ length: 31 }, (_, n) => `u${n}`) }] })).toEqual([
    'INVALID_PARAMETERS',
    'mentionees.0.userIds',
  ]);
  expect(await refused({ tags: Array.from({ length: 21 }, (_, n) => `t${n}`) })).toEqual([
    'INVALID_PARAMETERS',
    'tags',
  ]);
});

test('viewerCan fields agree with the operations', async () => {
  const permissionsOf = async (as: string) => {
    const { community, post: read } = await ask(
      gateway,
      '{ community(communityId: "gardeners") { viewerCanPost viewerCanCreateStory } post(postId: "tomatoes") { viewerCanPin viewerCanComment } }',
      { as },
    );
    return [community?.viewerCanPost, community?.viewerCanCreateStory, read?.viewerCanPin, read?.viewerCanComment];
  };
  expect(await permissionsOf('alice')).toEqual([true, true, true, true]);
  expect(await permissionsOf('bob')).toEqual([true, false, false, true]);
  expect(await permissionsOf('erin')).toEqual([false, false, false, true]);
  expect(await permissionsOf('dave')).toEqual([false, false, undefined, undefined]);
});

test('a post repeated with the same key is created once, with its child posts', async () => {
  const before = await counts();
  const input = {
    clientMutationId: 'post-1',
    data: { text: 'Once' },
    attachments: [{ type: 'IMAGE', fileId: 'tomatoes-red' }],
    metadata: { 'a.b': { $set: 1 } },
  };
  const select = 'post { postId metadata childPosts { postId } }';
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(input, select)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0].post.childPosts).toHaveLength(1);
  expect(await counts()).toBe(before + 1);
});

test('views count impressions every time and reach once per user', async () => {
  const read = async () => (await ask(gateway, '{ post(postId: "compost") { impression reach } }')).post;
  const before = await read();
  const view = (as: string, postIds: string[]) =>
    mutate(gateway, 'recordViews', { postIds }, { select: 'postIds', as });
  expect((await view('bob', ['compost', 'grafting', 'none'])).postIds).toEqual(['compost']);
  await view('bob', ['compost']);
  await view('carol', ['compost', 'tomatoes']);
  expect(await read()).toEqual({ impression: before.impression + 3, reach: before.reach + 2 });
});

test('REST: create, update, view, delete', async () => {
  const body = {
    targetType: 'community',
    targetId: 'gardeners',
    data: { text: 'By REST' },
    attachments: [{ type: 'image', fileId: 'tomatoes-red' }],
  };
  const created = await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body });
  expect(created.status).toBe(200);
  const [{ postId, children }] = created.body.posts;
  expect(created.body.postChildren.map((child: { postId: string }) => child.postId)).toEqual(children);
  expect(created.body.files.map((file: { fileId: string }) => file.fileId)).toContain('tomatoes-red');
  const path = `/api/v4/posts/${postId}`;
  const put = await gateway.rest(path, { as: 'bob', method: 'PUT', body: { data: { text: 'Changed' }, tags: ['a'] } });
  expect(put.body.posts[0]).toMatchObject({ data: { text: 'Changed' }, tags: ['a'], children });
  const view = { contentType: 'post', contentId: postId, activityType: 'view', timestamp: 'x' };
  const seen = await gateway.rest('/api/v1/analytics/activities', {
    as: 'carol',
    method: 'POST',
    body: { activities: [view] },
  });
  expect([seen.status, seen.body]).toEqual([200, { success: true }]);
  expect((await gateway.rest(`/api/v3/posts/${postId}`)).body.posts[0]).toMatchObject({ impression: 1, reach: 1 });
  const deleted = await gateway.rest(`${path}?postId=${postId}&permanent=false`, { as: 'bob', method: 'DELETE' });
  expect([deleted.status, deleted.body.posts[0].isDeleted, deleted.body.communities[0].communityId]).toEqual([
    200,
    true,
    'gardeners',
  ]);
  expect((await gateway.rest(path, { as: 'bob', method: 'DELETE' })).status).toBe(404);
});
