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

const comment = (input: object, select = 'comment { commentId }', as = 'bob') =>
  mutate(gateway, 'createComment', { referenceId: 'compost', ...input }, { select, as });
const createText = async (text: string, input: object = {}, as = 'bob') =>
  (await comment({ data: { text }, ...input }, 'comment { commentId segmentNumber rootId parentId }', as)).comment;
const on = async (postId: string) =>
  (
    await ask(
      gateway,
      `{ post(postId: "${postId}") { commentsCount commentIds hasFlaggedComment community { hasFlaggedComment } } }`,
    )
  ).post;

test('creates a comment with all fields and a segment number, and counts it on its post', async () => {
  const before = await on('seedlings');
  const select = `comment { commentId segmentNumber rootId parentId data dataType dataTypes path targetType targetId metadata
    attachments { type fileId } mentionees { userIds } viewerCanEdit viewerCanDelete viewerCanModerate isFlaggedByViewer }`;
  const input = {
    referenceId: 'seedlings',
    data: { text: 'Mine too' },
    attachments: [{ type: 'IMAGE', fileId: 'tomatoes-red' }],
    metadata: { 'a.b': { $gt: 1 } },
    mentionees: [{ userIds: ['alice'] }],
  };
  const { comment: created } = await comment(input, select);
  expect(created).toMatchObject({
    parentId: null,
    rootId: created.commentId,
    data: { text: 'Mine too' },
    dataType: 'text',
    dataTypes: ['text', 'image'],
    targetType: 'COMMUNITY',
    targetId: 'gardeners',
    metadata: { 'a.b': { $gt: 1 } },
    attachments: [{ type: 'image', fileId: 'tomatoes-red' }],
    mentionees: [{ userIds: ['alice'] }],
    viewerCanEdit: true,
    viewerCanDelete: true,
    viewerCanModerate: false,
    isFlaggedByViewer: false,
  });
  const after = await on('seedlings');
  expect(after.commentsCount).toBe(before.commentsCount + 1);
  expect(after.commentIds).toHaveLength(10);
  expect(after.commentIds.at(-1)).toBe(created.commentId);
  const next = await createText('And again', { referenceId: 'seedlings' });
  expect(next.segmentNumber).toBe(created.segmentNumber + 1);
});

test('replies refer to their thread; after a deletion older replies fill the kept list', async () => {
  const root = await createText('Root', { referenceId: 'pruning' });
  const reply = await createText('Reply', { referenceId: 'pruning', parentId: root.commentId });
  const deep = await createText('Deeper', { referenceId: 'pruning', parentId: reply.commentId });
  expect([deep.parentId, deep.rootId]).toEqual([reply.commentId, root.commentId]);
  const replies: string[] = [reply.commentId];
  for (let n = 0; n < 11; n += 1)
    replies.push((await createText(`r${n}`, { referenceId: 'pruning', parentId: root.commentId })).commentId);
  const kept = async () =>
    (
      await ask(
        gateway,
        `{ comment(commentId: "${root.commentId}") { childrenNumber childIds latestReplies { commentId } } }`,
      )
    ).comment;
  expect(await kept()).toMatchObject({ childrenNumber: 12, childIds: replies.slice(-10) });
  await mutate(gateway, 'deleteComment', { commentId: replies[5] }, { select: 'comment { isDeleted }', as: 'bob' });
  expect(await kept()).toMatchObject({ childrenNumber: 11, childIds: replies.filter((_, n) => n !== 5).slice(-10) });
  expect(await comment({ referenceId: 'pruning', parentId: replies[5], data: { text: 'x' } })).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await comment({ referenceId: 'compost', parentId: root.commentId, data: { text: 'x' } })).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('never reuses a segment number after a deletion', async () => {
  const first = await createText('One', { referenceId: 'grafting' }, 'frank');
  await mutate(
    gateway,
    'deleteComment',
    { commentId: first.commentId },
    { select: 'comment { isDeleted }', as: 'frank' },
  );
  expect((await createText('Two', { referenceId: 'grafting' }, 'frank')).segmentNumber).toBe(first.segmentNumber + 1);
});

test('content of the application is commented on by its own id', async () => {
  const select = 'comment { segmentNumber targetType targetId path }';
  const input = { referenceType: 'CONTENT', referenceId: 'article 7/{x}', data: { text: 'Good read' } };
  expect((await comment(input, select, 'erin')).comment).toMatchObject({
    segmentNumber: 1,
    targetType: 'CONTENT',
    targetId: 'article 7/{x}',
  });
  expect((await comment(input, select, 'bob')).comment.segmentNumber).toBe(2);
});

test('stories accept comments until they expire and where the community allows comments', async () => {
  const story = { referenceType: 'STORY', referenceId: 'morning-dew', data: { text: 'Lovely' } };
  const before = (await ask(gateway, '{ story(storyId: "morning-dew") { commentsCount } }')).story.commentsCount;
  const { comment: created } = await comment(story, 'comment { commentId targetId }');
  expect(created.targetId).toBe('gardeners');
  const after = (await ask(gateway, '{ story(storyId: "morning-dew") { commentsCount commentIds } }')).story;
  expect([after.commentsCount, after.commentIds.at(-1)]).toEqual([before + 1, created.commentId]);
  expect(await comment({ ...story, referenceId: 'last-autumn' })).toMatchObject({ code: 'NOT_FOUND' });
  const { communities } = gateway.services.store.collections;
  const where = { networkId: gateway.networkId, communityId: 'gardeners' };
  await communities.updateOne(where, { $set: { allowCommentInStory: false } });
  expect(await comment(story)).toMatchObject({ code: 'FORBIDDEN' });
  await communities.updateOne(where, { $set: { allowCommentInStory: true } });
});

test('the author or a moderator updates the named fields only', async () => {
  const select = 'comment { data dataTypes metadata mentionees { userIds } attachments { fileId } editedAt }';
  const picture = [{ type: 'IMAGE', fileId: 'tomatoes-red' }];
  const created = (
    await comment({
      data: { text: 'a' },
      attachments: picture,
      metadata: { m: 1 },
      mentionees: [{ userIds: ['alice'] }],
    })
  ).comment;
  const update = (input: object, as = 'bob') =>
    mutate(gateway, 'updateComment', { commentId: created.commentId, ...input }, { select, as });
  const { comment: changed } = await update({ data: { text: 'b' } });
  expect(changed).toMatchObject({ data: { text: 'b' }, dataTypes: ['text', 'image'], metadata: { m: 1 } });
  expect(changed.editedAt).not.toBeNull();
  expect((await update({ attachments: picture }, 'alice')).comment.attachments).toEqual([{ fileId: 'tomatoes-red' }]);
  expect((await update({ attachments: null, metadata: null, mentionees: [] })).comment).toMatchObject({
    dataTypes: ['text'],
    metadata: {},
    mentionees: [],
  });
  expect(await update({ data: { text: '' } })).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['data', 'text'] });
  expect(await update({ data: { text: 'x' } }, 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
});

test('a deleted comment remains in its thread, readable by moderators until it is erased', async () => {
  const { commentId } = await createText('Regret');
  const before = await on('compost');
  const remove = (as: string, input = {}) =>
    mutate(gateway, 'deleteComment', { commentId, ...input }, { select: 'comment { isDeleted data }', as });
  expect(await remove('carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await remove('bob')).comment.isDeleted).toBe(true);
  expect(await remove('bob')).toMatchObject({ code: 'NOT_FOUND' });
  expect((await on('compost')).commentsCount).toBe(before.commentsCount - 1);
  const read = async (as: string) =>
    (await ask(gateway, `{ comment(commentId: "${commentId}") { isDeleted data } }`, { as })).comment;
  expect(await read('bob')).toEqual({ isDeleted: true, data: {} });
  expect(await read('alice')).toEqual({ isDeleted: true, data: { text: 'Regret' } });
  expect(await remove('bob', { permanent: true })).toMatchObject({ code: 'PERMISSION_DENIED' });
  await remove('alice', { permanent: true });
  expect(await read('alice')).toEqual({ isDeleted: true, data: {} });
});

test('flags mark the post and the community until the last flag is removed', async () => {
  const one = (await createText('Flag me')).commentId;
  const two = (await createText('Me too')).commentId;
  const flag = (operation: string, commentId: string, as: string) =>
    mutate(gateway, operation, { commentId }, { select: 'comment { flagCount isFlaggedByViewer }', as });
  expect((await flag('flagComment', one, 'carol')).comment).toEqual({ flagCount: 1, isFlaggedByViewer: true });
  expect((await flag('flagComment', one, 'carol')).comment.flagCount).toBe(1);
  await flag('flagComment', two, 'carol');
  expect(await on('compost')).toMatchObject({ hasFlaggedComment: true, community: { hasFlaggedComment: true } });
  await flag('unflagComment', one, 'carol');
  expect((await on('compost')).hasFlaggedComment).toBe(true);
  expect(await flag('clearCommentFlags', two, 'bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await flag('clearCommentFlags', two, 'alice')).comment.flagCount).toBe(0);
  expect((await on('compost')).hasFlaggedComment).toBe(false);
  await flag('flagComment', one, 'carol');
  await mutate(gateway, 'deleteComment', { commentId: one }, { select: 'comment { isDeleted }', as: 'bob' });
  expect((await on('compost')).hasFlaggedComment).toBe(false);
});

test('rejects values out of bounds and invisible records, naming the field', async () => {
  const refused = async (input: object, as = 'bob') => {
    const { code, path } = await comment({ data: { text: 'x' }, ...input }, 'comment { commentId }', as);
    return [code, path?.join('.')];
  };
  expect(await refused({ data: null })).toEqual(['INVALID_PARAMETERS', 'data.text']);
  expect(await refused({ data: { text: 'x'.repeat(20_001) } })).toEqual(['INVALID_PARAMETERS', 'data.text']);
  expect(await refused({ attachments: [{ type: 'IMAGE', fileId: 'compost-guide' }] })).toEqual([
    'NOT_FOUND',
    'attachments',
  ]);
  expect(await refused({ mentionees: [{ userIds: ['nobody-here'] }] })).toEqual(['INVALID_PARAMETERS', 'mentionees']);
  expect(await refused({ referenceId: 'which-rootstock' }, 'grace')).toEqual(['BAD_REQUEST', '']);
  expect(await refused({ referenceId: 'which-rootstock' }, 'bob')).toEqual(['NOT_FOUND', '']);
  expect(await refused({ referenceId: 'salt-on-slugs' }, 'alice')).toEqual(['NOT_FOUND', '']);
  expect(await refused({}, 'dave')).toEqual(['NOT_FOUND', '']);
  expect(await refused({}, 'erin')).toEqual([undefined, undefined]);
});

test('REST: create, reply, update, flag, delete', async () => {
  const body = {
    referenceType: 'post',
    referenceId: 'potting',
    data: { text: 'By REST' },
    mentionees: [{ type: 'user', userIds: ['alice'] }],
  };
  const call = (method: string, path: string, sent?: object, as = 'bob') =>
    gateway.rest(path, { as, method, body: sent });
  const created = await call('POST', '/api/v3/comments', body);
  expect([created.status, created.body.comments[0].data]).toEqual([200, { text: 'By REST' }]);
  const { commentId } = created.body.comments[0];
  const reply = await call('POST', '/api/v3/comments', {
    referenceId: 'potting',
    parentId: commentId,
    attachments: [{ type: 'image', fileId: 'tomatoes-red' }],
  });
  expect(reply.body.comments[0]).toMatchObject({ parentId: commentId, dataTypes: ['image'] });
  const changed = await call('PUT', `/api/v3/comments/${commentId}`, { data: { text: 'Changed' } });
  expect(changed.body.comments[0].data).toEqual({ text: 'Changed' });
  expect(changed.body.commentChildren[0].parentId).toBe(commentId);
  expect(
    (await call('POST', `/api/v3/comments/${commentId}/flag`, { reason: 'Others', detail: 'x' }, 'carol')).status,
  ).toBe(200);
  expect((await call('GET', `/api/v3/comments/${commentId}/isflagbyme`, undefined, 'carol')).body).toEqual({
    result: true,
    isFlagByMe: true,
  });
  expect(
    (await call('DELETE', `/api/v3/comments/${commentId}/unflag`, undefined, 'carol')).body.comments[0].flagCount,
  ).toBe(0);
  const deleted = await call('DELETE', `/api/v4/comments/${commentId}?permanent=false`);
  expect([deleted.status, deleted.body.comments[0].isDeleted]).toEqual([200, true]);
});
