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

const HOUR = 3_600_000;
const story = (input: object, select = 'story { storyId }', as = 'alice') =>
  mutate(
    gateway,
    'createStory',
    { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'TEXT', ...input },
    { select, as },
  );
const targetOf = async (as: string) => {
  const { viewerStoryTargets } = await ask(
    gateway,
    '{ viewerStoryTargets(seenState: ALL) { edges { node { targetId lastStoryExpiresAt lastStorySeenExpiresAt } } } }',
    { as },
  );
  return viewerStoryTargets.edges.map(({ node }: { node: { targetId: string } }) => node);
};

test('a story expires after a day or at its own time', async () => {
  const select = `story { storyId path dataType data { text } items { type data } expiresAt createdAt metadata referenceId
    mentionees { userIds } viewerCanDelete viewerCanModerate isSeenByViewer isFlaggedByViewer }`;
  const { story: created } = await story(
    {
      data: { text: 'Rain!' },
      items: [{ type: 'HYPERLINK', data: { url: 'https://example.com/rain', customText: 'How much' } }],
      metadata: { 'a.b': 1 },
      mentionees: [{ userIds: ['bob'] }],
      referenceId: 'LOCAL_1',
    },
    select,
  );
  expect(created).toMatchObject({
    data: { text: 'Rain!' },
    items: [{ type: 'hyperlink', data: { url: 'https://example.com/rain', customText: 'How much' } }],
    metadata: { 'a.b': 1 },
    referenceId: 'LOCAL_1',
    mentionees: [{ userIds: ['bob'] }],
    viewerCanDelete: true,
    viewerCanModerate: true,
    isSeenByViewer: false,
    isFlaggedByViewer: false,
  });
  expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBeCloseTo(24 * HOUR, -4);
  const expiresAt = new Date(Date.now() + 6 * 24 * HOUR).toISOString();
  expect((await story({ data: { text: 'Week' }, expiresAt }, 'story { expiresAt }')).story.expiresAt).toBe(expiresAt);
  expect((await targetOf('bob'))[0].targetId).toBe('gardeners');
});

test('images and videos must be files of the creator', async () => {
  const select =
    'story { data { text fileId imageDisplayMode thumbnailFileId videoFileId { original } } files { fileId } }';
  const own = { targetType: 'USER', targetId: 'bob' };
  const { story: image } = await story(
    { ...own, dataType: 'IMAGE', data: { fileId: 'tomatoes-red', text: 'Red' } },
    select,
    'bob',
  );
  expect(image.data).toMatchObject({ fileId: 'tomatoes-red', imageDisplayMode: 'FIT', text: 'Red' });
  const video = await gateway.services.store.collections.files.findOne({
    networkId: gateway.networkId,
    fileId: 'shoots-original',
  });
  const target = { targetType: 'USER', targetId: video!.userId };
  const { story: clip } = await story(
    { ...target, dataType: 'VIDEO', data: { videoFileId: { original: 'shoots-original' } } },
    select,
    video!.userId,
  );
  expect(clip.files).toEqual([{ fileId: 'shoots-original' }]);
});

test('requires the permission to create stories in the target', async () => {
  const code = async (input: object, as: string) =>
    (await story({ data: { text: 'x' }, ...input }, 'story { storyId }', as)).code;
  expect(await code({}, 'bob')).toBe('PERMISSION_DENIED');
  expect(await code({}, 'erin')).toBe('PERMISSION_DENIED');
  expect(await code({}, 'dave')).toBe('BANNED');
  expect(await code({ targetId: 'orchard-keepers' }, 'bob')).toBe('NOT_FOUND');
  expect(await code({}, 'admin')).toBeUndefined();
  expect(await code({ targetType: 'USER', targetId: 'alice' }, 'admin')).toBe('PERMISSION_DENIED');
  expect(await code({ targetType: 'USER', targetId: 'erin' }, 'erin')).toBeUndefined();
});

test('a view counts impressions every time and reach once, and marks the target as seen', async () => {
  const { story: created } = await story({ data: { text: 'Look' } });
  const { storyId } = created;
  const see = (as: string) =>
    mutate(gateway, 'markStorySeen', { storyId }, { select: 'story { impression reach isSeenByViewer }', as });
  expect((await see('bob')).story).toEqual({ impression: 1, reach: 1, isSeenByViewer: true });
  expect((await see('bob')).story).toEqual({ impression: 2, reach: 1, isSeenByViewer: true });
  expect((await see('carol')).story).toEqual({ impression: 3, reach: 2, isSeenByViewer: true });
  expect(await see('dave')).toMatchObject({ code: 'NOT_FOUND' });
  const unseen = async () => {
    const { viewerStoryTargets } = await ask(gateway, '{ viewerStoryTargets { edges { node { targetId } } } }', {
      as: 'bob',
    });
    return viewerStoryTargets.edges.map(({ node }: { node: { targetId: string } }) => node.targetId);
  };
  expect(await unseen()).toContain('gardeners');
  const { stories } = await ask(
    gateway,
    '{ stories(targetType: COMMUNITY, targetId: "gardeners", first: 100) { edges { node { storyId } } } }',
    { as: 'bob' },
  );
  const storyIds = stories.edges.map(({ node }: { node: { storyId: string } }) => node.storyId);
  await mutate(gateway, 'recordViews', { storyIds: [...storyIds, 'none'] }, { select: 'storyIds', as: 'bob' });
  expect(await unseen()).not.toContain('gardeners');
});

test('deleting a story resets its target', async () => {
  const before = (await targetOf('alice')).find(({ targetId }: { targetId: string }) => targetId === 'harvest-fair');
  const expiresAt = new Date(Date.now() + 2 * HOUR).toISOString();
  const created = await story(
    { targetId: 'harvest-fair', data: { text: 'Soon' }, expiresAt },
    'story { storyId }',
    'admin',
  );
  const { storyId } = created.story;
  const remove = (as: string, input = {}) =>
    mutate(gateway, 'deleteStory', { storyId, ...input }, { select: 'story { isDeleted data { text } }', as });
  expect(await remove('alice')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await remove('admin')).story.isDeleted).toBe(true);
  expect(await remove('admin')).toMatchObject({ code: 'NOT_FOUND' });
  expect((await targetOf('alice')).find(({ targetId }: { targetId: string }) => targetId === 'harvest-fair')).toEqual(
    before,
  );
  expect((await remove('admin', { permanent: true })).story.data.text).toBeNull();
});

test('flags count once per user and are cleared by users who manage stories', async () => {
  const { storyId } = (await story({ data: { text: 'Flag' } })).story;
  const flag = (operation: string, as: string) =>
    mutate(gateway, operation, { storyId }, { select: 'story { flagCount isFlaggedByViewer }', as });
  expect((await flag('flagStory', 'bob')).story).toEqual({ flagCount: 1, isFlaggedByViewer: true });
  expect((await flag('flagStory', 'bob')).story.flagCount).toBe(1);
  expect((await flag('unflagStory', 'bob')).story).toEqual({ flagCount: 0, isFlaggedByViewer: false });
  await flag('flagStory', 'carol');
  expect(await flag('clearStoryFlags', 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await flag('clearStoryFlags', 'alice')).story.flagCount).toBe(0);
});

test('rejects values out of bounds and records of others, naming the field', async () => {
  const refused = async (input: object) => {
    const { code, path } = await story({ data: { text: 'x' }, ...input });
    return [code, path?.join('.')];
  };
  const link = (url: string, customText = 'x') => ({ items: [{ type: 'HYPERLINK', data: { url, customText } }] });
  expect(await refused({ data: null })).toEqual(['INVALID_PARAMETERS', 'data.text']);
  expect(await refused({ dataType: 'IMAGE' })).toEqual(['INVALID_PARAMETERS', 'data.fileId']);
  expect(await refused({ dataType: 'IMAGE', data: { fileId: 'tomatoes-red' } })).toEqual(['NOT_FOUND', 'data.fileId']);
  expect(await refused(link('javascript:alert(1)'))).toEqual(['INVALID_PARAMETERS', 'items.0.data.url']);
  expect(await refused(link(`https://example.com/${'x'.repeat(1_000)}`))).toEqual([
    'INVALID_PARAMETERS',
    'items.0.data.url',
  ]);
  expect(await refused(link('https://example.com', 'x'.repeat(31)))).toEqual([
    'INVALID_PARAMETERS',
    'items.0.data.customText',
  ]);
  const two = [...link('https://example.com').items, ...link('https://example.org').items];
  expect(await refused({ items: two })).toEqual(['INVALID_PARAMETERS', 'items']);
  for (const days of [-1, 8]) {
    const expiresAt = new Date(Date.now() + days * 24 * HOUR).toISOString();
    expect(await refused({ expiresAt })).toEqual(['INVALID_PARAMETERS', 'expiresAt']);
  }
});

test('REST: create, view, delete', async () => {
  const body = {
    targetType: 'user',
    targetId: 'bob',
    dataType: 'image',
    data: { fileId: 'tomatoes-red', imageDisplayMode: 'fill' },
    items: [{ type: 'hyperlink', data: { url: 'https://example.com', customText: 'Here' } }],
  };
  const created = await gateway.rest('/api/v4/stories', { as: 'bob', method: 'POST', body });
  expect([created.status, created.body.stories[0].data.imageDisplayMode, created.body.files.length > 0]).toEqual([
    200,
    'fill',
    true,
  ]);
  const { storyId } = created.body.stories[0];
  const activities = [{ contentType: 'story', contentId: storyId, activityType: 'view' }];
  await gateway.rest('/api/v1/analytics/activities', { as: 'carol', method: 'POST', body: { activities } });
  expect((await gateway.rest(`/api/v4/stories/${storyId}`, { as: 'carol' })).body.stories[0]).toMatchObject({
    reach: 1,
  });
  const deleted = await gateway.rest(`/api/v4/stories/${storyId}?permanent=false`, { as: 'bob', method: 'DELETE' });
  expect([deleted.status, deleted.body.stories[0].isDeleted]).toEqual([200, true]);
});
