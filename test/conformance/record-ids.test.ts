import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { expectRefusal, INVALID } from '../support/refusals.ts';
import { renameChannel } from '../support/rename-channel.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface JsonSchema {
  type?: string;
  items?: JsonSchema;
  properties?: { [name: string]: JsonSchema };
  anyOf?: JsonSchema[];
  maxLength?: number;
}

interface Operation {
  parameters?: Array<{ name?: string; schema: JsonSchema }>;
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

/** Every parameter that takes one id or a list of ids, as `operation name` and the schema of one id. */
function idParameters(): Array<{ place: string; name: string; schema: JsonSchema }> {
  const document = JSON.parse(JSON.stringify(printOpenApi(schema, ROUTES))) as {
    paths: { [path: string]: { [method: string]: Operation } };
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const body = operation.requestBody?.content['application/json']?.schema;
      return [
        ...(operation.parameters ?? []).flatMap(({ name, schema }) =>
          name ? leaves(name.replace('[]', ''), schema) : [],
        ),
        ...(body ? leaves('', body) : []),
      ].map((leaf) => ({ place, ...leaf }));
    }),
  );
}

function leaves(name: string, schema: JsonSchema): Array<{ name: string; schema: JsonSchema }> {
  if (schema.items) return leaves(name, schema.items);
  if (schema.properties) return Object.entries(schema.properties).flatMap(([key, field]) => leaves(key, field));
  const array = schema.anyOf?.find(({ type }) => type === 'array' || type === 'object');
  return array ? leaves(name, array) : [{ name, schema }];
}

/** Parameters that contain ids, by the type of the record. */
const NAMES: { [kind: string]: RegExp } = {
  user: /^userIds?$/,
  channel: /^channelIds?$/,
  community: /^communityIds?$/,
  role: /^(roleId|role|roles)$/,
  post: /^(postIds?|sharedPostId|contentId)$/,
  comment: /^commentIds?$/,
  message: /^messageIds?$/,
  messageFeed: /^messageFeedIds?$/,
  story: /^storyId$/,
  poll: /^pollId$/,
  category: /^categoryIds?$/,
  file: /^(fileId|thumbnailFileId|avatarFileId)$/,
};

const createdIds: { [kind: string]: string[] } = {};

beforeAll(async () => {
  const post = async (path: string, body: object, as: string | null = 'alice', headers = {}) => {
    const answer = await gateway.rest(path, { method: 'POST', as, body, headers });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const longest = (length: number) => 'x'.repeat(length);
  const mutate = mutations(gateway);
  const session = await post('/api/v5/sessions', { userId: longest(50) }, null, { 'x-api-key': gateway.keys.API_KEY });
  createdIds.user = [session.users[0].userId];
  const own = await post('/api/v3/channels', { displayName: 'Own id', channelId: longest(50) });
  const generated = await post('/api/v3/channels', { displayName: 'Generated id' });
  const conversation = await post('/api/v3/channels/conversation', { userIds: ['carol', 'mia'] });
  createdIds.channel = [own, generated, conversation].map(({ channels }) => channels[0].channelId);
  const sent = await post('/api/v5/messages', { channelId: longest(50), data: { text: 'Hi' } });
  createdIds.message = [sent.messages[0].messageId];
  createdIds.messageFeed = [sent.messages[0].messageFeedId];
  createdIds.community = [(await post('/api/v3/communities', { displayName: 'Ids' })).communities[0].communityId];
  const target = { targetType: 'community', targetId: 'gardeners' };
  createdIds.post = [(await post('/api/v4/posts', { ...target, data: { text: 'Hi' } })).posts[0].postId];
  const reference = { referenceType: 'post', referenceId: createdIds.post[0] };
  createdIds.comment = [(await post('/api/v3/comments', { ...reference, data: { text: 'Hi' } })).comments[0].commentId];
  createdIds.story = [
    (await post('/api/v4/stories', { ...target, dataType: 'text', data: { text: 'Hi' } })).stories[0].storyId,
  ];
  createdIds.poll = [
    (await post('/api/v3/polls', { question: 'Ids?', answers: [{ data: 'a' }, { data: 'b' }] })).polls[0].pollId,
  ];
  const role = await mutate(
    'admin',
    'createRole',
    { roleId: longest(100), displayName: 'Long', permissions: [], rank: 1 },
    'role { roleId }',
  );
  createdIds.role = [role.role.roleId];
  const category = await mutate('admin', 'createCategory', { name: 'Ids' }, 'category { categoryId }');
  createdIds.category = [category.category.categoryId];
  const form = new FormData();
  form.append('files', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
  const uploaded = await fetch(`${gateway.url}/api/v4/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await gateway.tokenOf('alice')}` },
    body: form,
  });
  createdIds.file = [((await uploaded.json()) as Array<{ fileId: string }>)[0]!.fileId];
});

describe('every id that the interface creates fits every parameter that takes ids of its kind', () => {
  const ajv = new Ajv2020({ strict: false });
  const parameters = idParameters();

  test.each(Object.keys(NAMES))('%s', (kind) => {
    const matching = parameters.filter(({ name }) => NAMES[kind]!.test(name));
    expect(matching.length).toBeGreaterThan(0);
    expect(createdIds[kind]!.length).toBeGreaterThan(0);
    const refused = matching.flatMap(({ place, name, schema }) =>
      createdIds[kind]!.filter((id) => !ajv.validate(schema, id)).map(
        (id) => `${place} ${name}: ${id.length} characters`,
      ),
    );
    expect(refused).toEqual([]);
  });
});

test('channels with the longest ids, and conversations, can be listed', async () => {
  for (const channelId of createdIds.channel!) {
    const { status, body } = await gateway.rest(`/api/v3/channels/list?channelIds[]=${channelId}`);
    expect([status, body.channels?.[0]?.channelId]).toEqual([200, channelId]);
  }
});

test('rejects a new channel with an id longer than the interface allows', async () => {
  const body = { displayName: 'Long', channelId: 'y'.repeat(51) };
  await expectRefusal(gateway, '/api/v3/channels', { method: 'POST', body }, INVALID);
  const refused = await mutations(gateway)('alice', 'createChannel', body, 'channel { channelId }');
  expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['channelId'] });
});

test('finds and lists a conversation whose id an earlier version generated', async () => {
  const { store } = gateway.services;
  const open = async () => {
    const body = { userIds: ['bob', 'heidi'] };
    return (await gateway.rest('/api/v3/channels/conversation', { method: 'POST', as: 'bob', body })).body.channels[0];
  };
  const { channelId, _id } = await open();
  // 43 characters of base64url: the whole SHA-256 of the sorted user ids.
  const hash = createHash('sha256')
    .update(JSON.stringify(['bob', 'heidi']))
    .digest('base64url');
  const former = { channelId: `conversation-${hash}` };
  await renameChannel(store, { from: channelId, to: former.channelId });
  await store.collections.distinctConversations.deleteMany({ networkId: 'default' });
  expect(await open()).toMatchObject({ ...former, _id });
  const listed = await gateway.rest(`/api/v3/channels/list?channelIds[]=${former.channelId}`, { as: 'heidi' });
  expect([listed.status, listed.body.channels[0].channelId]).toEqual([200, former.channelId]);
});
