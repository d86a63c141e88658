import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const mutate = mutations(() => gateway);
const SETTINGS = 'settings { chat social webhook deepLinks createsUnknownUsers }';
const update = (input: object, as = 'admin') => mutate(as, 'updateNetworkSettings', input, SETTINGS);
const rest = async (group: string) => (await gateway.rest(`/api/v3/network-settings/${group}`)).body;
const lastEntry = async () => {
  const { auditEntries } = gateway.services.store.collections;
  const { networkId } = gateway;
  return auditEntries.findOne({ networkId, subjectType: 'network' }, { sort: { _id: -1 } });
};

test('every setting is changed, returned over GraphQL and REST, and recorded with both values', async () => {
  const before = await rest('chat');
  const given = {
    chat: {
      enabled: false,
      mention: { isAllowMentionedUsers: false, isAllowMentionAll: false },
      messagePreview: { enabled: false, isIncludeDeleted: true },
      marker: { enabled: false },
    },
    social: {
      enabled: false,
      isAllowEditPostWhenReviewingEnabled: !(await rest('social')).socialNetworkSetting
        .isAllowEditPostWhenReviewingEnabled,
      userPrivacySetting: 'PRIVATE',
      globalFeed: { showMyPost: false, showCommunityPost: false, showFollowingPost: false, showEveryonePost: true },
    },
    webhook: { enabled: false },
    deepLinks: { domain: 'app.example.com', patterns: { post: '/post/{postId}' } },
    createsUnknownUsers: false,
  };
  const { settings } = await update(given);
  const social = { ...given.social, userPrivacySetting: 'private', isFollowWithRequestEnabled: true };
  expect(settings).toEqual({ ...given, social });
  expect(await Promise.all(['chat', 'social', 'webhook', 'shareable-deep-links'].map(rest))).toEqual([
    given.chat,
    { socialNetworkSetting: social },
    given.webhook,
    given.deepLinks,
  ]);
  const entry = (await lastEntry())!;
  expect(entry).toMatchObject({ action: 'updateNetworkSettings', actorId: 'admin', subjectId: gateway.networkId });
  const changes = entry.details.settings as Array<{ name: string; before: unknown; value: unknown }>;
  expect(changes).toHaveLength(17);
  expect(changes).toContainEqual({ name: 'chat.enabled', before: before.enabled, value: false });
  expect(changes).toContainEqual({ name: 'createsUnknownUsers', before: true, value: false });
  expect(changes).toContainEqual({ name: 'deepLinks.domain', before: '', value: 'app.example.com' });

  const back = {
    chat: before,
    social: { ...given.social, enabled: true, userPrivacySetting: 'PUBLIC' },
    createsUnknownUsers: true,
  };
  expect((await update(back)).settings).toMatchObject({ chat: before, createsUnknownUsers: true });
});

test('absent settings and null keep their value, and a change that changes nothing has no entry', async () => {
  await update({ chat: { marker: { enabled: false } }, deepLinks: { domain: 'a.example.com' } });
  const known = (await lastEntry())!.auditId;
  const all = await gateway.graphql('{ networkSettings { chat social webhook deepLinks } }', { as: 'bob' });
  const unchanged = [
    {},
    { chat: null },
    { chat: { marker: null, enabled: null } },
    { chat: { marker: { enabled: false } }, deepLinks: { domain: 'a.example.com' } },
  ];
  for (const input of unchanged)
    expect((await update(input)).settings).toMatchObject(all.data.networkSettings as object);
  expect((await lastEntry())!.auditId).toBe(known);
});

describe('a changed setting applies to the next request', () => {
  test('mentions', async () => {
    const send = (type: 'CHANNEL' | 'USER') => {
      const mentionedUsers = [{ type, ...(type === 'USER' && { userIds: ['bob'] }) }];
      const input = { channelId: 'gardeners-chat', data: { text: 'Hello' }, mentionedUsers };
      return mutate('alice', 'sendMessage', input, 'chatMessage { messageId }');
    };
    await update({ chat: { mention: { isAllowMentionAll: false, isAllowMentionedUsers: true } } });
    expect(await Promise.all([send('CHANNEL'), send('USER')])).toMatchObject([
      { code: 'FORBIDDEN' },
      { chatMessage: { messageId: expect.any(String) } },
    ]);
    await update({ chat: { mention: { isAllowMentionAll: true, isAllowMentionedUsers: false } } });
    expect(await Promise.all([send('CHANNEL'), send('USER')])).toMatchObject([
      { chatMessage: { messageId: expect.any(String) } },
      { code: 'FORBIDDEN' },
    ]);
  });

  test('sign-ins of unknown users, over REST and GraphQL', async () => {
    const overRest = (userId: string) =>
      gateway.rest('/api/v5/sessions', {
        as: null,
        method: 'POST',
        headers: { 'x-api-key': gateway.keys.API_KEY },
        body: { userId, deviceId: 'unknown' },
      });
    const overGraphql = async (userId: string) => {
      const query = `mutation { answer: createSession(input: { userId: "${userId}" }) {
        __typename ... on OperationError { code } } }`;
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
        body: JSON.stringify({ query }),
      });
      return (await response.json()).data.answer;
    };
    await update({ createsUnknownUsers: false });
    expect((await overRest('stranger-1')).status).toBe(404);
    expect(await overGraphql('stranger-2')).toEqual({ __typename: 'OperationError', code: 'NOT_FOUND' });
    expect((await overRest('bob')).status).toBe(200);
    await update({ createsUnknownUsers: true });
    expect((await overRest('stranger-1')).status).toBe(200);
    expect(await overGraphql('stranger-2')).toEqual({ __typename: 'CreateSessionPayload' });
  });
});

test.each([
  ['an unknown setting', { chat: { colour: true } }],
  ['an unknown group', { secureMode: false }],
  ['a text for a boolean', { chat: { enabled: 'false' } }],
  ['an operator of the database', { social: { userPrivacySetting: { $ne: null } } }],
  ['a list for an object', { deepLinks: { patterns: [] } }],
  ['a value that the enum does not have', { social: { userPrivacySetting: 'SECRET' } }],
])('rejects %s as invalid GraphQL', async (_, input) => {
  const known = await lastEntry();
  const document = `mutation ($input: UpdateNetworkSettingsInput!) {
    updateNetworkSettings(input: $input) { __typename } }`;
  const { errors } = await gateway.graphql(document, { as: 'admin', variables: { input } });
  expect(errors).toHaveLength(1);
  expect(await lastEntry()).toEqual(known);
});

test.each([
  ['a long domain', { domain: 'x'.repeat(254) }, ['deepLinks', 'domain']],
  ['patterns of more than 64 KiB', { patterns: { post: 'x'.repeat(70_000) } }, ['deepLinks', 'patterns']],
  ['a lone surrogate', { domain: '\ud800' }, ['deepLinks', 'domain']],
])('rejects %s with its path', async (_, deepLinks, path) => {
  expect(await update({ deepLinks })).toMatchObject({ code: 'INVALID_PARAMETERS', path });
});

test('stores patterns whose names look like paths or operators as they are', async () => {
  const patterns = { 'post.of.user': '/a', $set: '/b' };
  expect((await update({ deepLinks: { patterns } })).settings.deepLinks.patterns).toEqual(patterns);
  expect(await rest('shareable-deep-links')).toMatchObject({ patterns });
});
