import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutate } from '../support/mutate.ts';

let gateway: TestGateway;
const commands: object[] = [];
beforeAll(async () => {
  gateway = await openTestNetwork();
  gateway.services.store.client.on('commandStarted', ({ command }) => commands.push(command));
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const post = (input: object, select = 'post { postId metadata tags hashtags data { title text } }') =>
  mutate(
    gateway,
    'createPost',
    { targetType: 'USER', targetId: 'bob', data: { text: 'x' }, ...input },
    { select, as: 'bob' },
  );
const comment = (input: object) =>
  mutate(
    gateway,
    'createComment',
    { referenceId: 'tomatoes', data: { text: 'x' }, ...input },
    { select: 'comment { commentId data metadata }', as: 'bob' },
  );
const story = (input: object) =>
  mutate(
    gateway,
    'createStory',
    { targetType: 'USER', targetId: 'bob', dataType: 'TEXT', data: { text: 'x' }, ...input },
    { select: 'story { storyId metadata }', as: 'bob' },
  );

/** The number of records in each collection that these mutations write. */
async function counts(): Promise<number[]> {
  const { posts, comments, stories, polls, reactions, flags, views } = gateway.services.store.collections;
  const all = [posts, comments, stories, polls, reactions, flags, views] as unknown as Array<typeof posts>;
  return Promise.all(all.map((collection) => collection.countDocuments({ networkId: gateway.networkId })));
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Parsed JSON, in which `__proto__` is an ordinary key. */
const json = (text: string): object => JSON.parse(text);

describe('free-form data is stored unchanged', () => {
  const metadata = json(
    `{"$set":{"isDeleted":true},"a.b":1,"$where":"sleep(1)","proto":{"__proto":1},"constructor":"a word","prototype":[1],
      "empty":"","":"no name","nested":[{"$ne":null},[[]],null,1.5,false],"rtl":"\\u202e\\u200f txt","long":"${'y'.repeat(60_000)}"}`,
  );

  test.each([
    ['posts', () => post({ metadata }).then(({ post }) => post)],
    ['comments', () => comment({ metadata }).then(({ comment }) => comment)],
    ['stories', () => story({ metadata }).then(({ story }) => story)],
  ])('in %s', async (_, create) => {
    const created = await create();
    expect(JSON.stringify(created.metadata)).toBe(JSON.stringify(metadata));
  });

  test('in texts, tags and hashtags of any script, with combining and direction marks, and with NUL', async () => {
    const title = '\u202eright\u202c to left';
    const words = 'a\u0000b \u200d #\u05e9\u05dc\u05d5\u05dd #e\u0301t\u00e9 <script>alert(1)</script>';
    const { post: created } = await post({
      data: { title, text: words },
      tags: ['__proto__', 'constructor', '$ne', 'a.b'],
    });
    expect(created.data).toEqual({ title, text: words });
    expect(created.tags).toEqual(['__proto__', 'constructor', '$ne', 'a.b']);
    expect(created.hashtags).toEqual(['\u05e9\u05dc\u05d5\u05dd', 'e\u0301t\u00e9']);
    const { body } = await gateway.rest(`/api/v3/posts/${created.postId}`, { as: 'bob' });
    expect(body.posts[0].data).toMatchObject({ title, text: words });
  });
});

describe('input that cannot be stored is rejected with a code, and nothing is written', () => {
  const deep = (levels: number) => json(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const cases: Array<[title: string, create: () => Promise<{ code?: string }>, code: string]> = [
    ['half a surrogate pair in a text', () => post({ data: { text: 'a\ud800' } }), 'INVALID_PARAMETERS'],
    ['half a surrogate pair in metadata', () => post({ metadata: { a: ['\udc00'] } }), 'INVALID_PARAMETERS'],
    ['half a surrogate pair in a key', () => comment({ metadata: { 'a\ud83d': 1 } }), 'INVALID_PARAMETERS'],
    ['NUL in a key', () => story({ metadata: { 'a\u0000': 1 } }), 'INVALID_PARAMETERS'],
    ['metadata nested 60 levels deep', () => post({ metadata: deep(60) }), 'INVALID_PARAMETERS'],
    ['metadata of 70,000 characters', () => comment({ metadata: { a: 'x'.repeat(70_000) } }), 'INVALID_PARAMETERS'],
    ['half a surrogate pair in a tag', () => post({ tags: ['\ud800'] }), 'INVALID_PARAMETERS'],
    ['a target of 900 characters', () => post({ targetId: 'x'.repeat(900) }), 'NOT_FOUND'],
    ['a target of 901 characters', () => post({ targetId: 'x'.repeat(901) }), 'INVALID_PARAMETERS'],
    ['a reference of 900 characters', () => comment({ referenceId: 'x'.repeat(900) }), 'NOT_FOUND'],
    ['a parent named __proto__', () => comment({ parentId: '__proto__' }), 'NOT_FOUND'],
    ['a file named constructor', () => post({ attachments: [{ type: 'IMAGE', fileId: 'constructor' }] }), 'NOT_FOUND'],
    ['a shared post named __proto__', () => post({ sharedPostId: '__proto__' }), 'NOT_FOUND'],
    [
      'a link that runs code',
      () => story({ items: [{ type: 'HYPERLINK', data: { url: 'data:text/html,x' } }] }),
      'INVALID_PARAMETERS',
    ],
  ];

  test.each(cases)('%s', async (_, create, code) => {
    const before = await counts();
    expect(await create()).toMatchObject({ __typename: 'OperationError', code });
    expect(await counts()).toEqual(before);
  });

  test('keys that could reach a prototype, over GraphQL and REST', async () => {
    const before = await counts();
    for (const metadata of ['{"__proto__":{"isAdmin":true}}', '{"a":{"constructor":{"prototype":{"isAdmin":true}}}}']) {
      const body = `{"targetType":"user","targetId":"bob","data":{"text":"x"},"metadata":${metadata}}`;
      const answer = await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body, headers: JSON_TYPE });
      expect([answer.status, answer.body.code]).toEqual([400, 400000]);
      const query =
        'mutation ($m: JSONObject) { updatePost(input: { postId: "tomatoes", metadata: $m }) { __typename } }';
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...JSON_TYPE, authorization: `Bearer ${await gateway.tokenOf('bob')}` },
        body: `{"query":${JSON.stringify(query)},"variables":{"m":${metadata}}}`,
      });
      expect(response.status).toBe(400);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(await counts()).toEqual(before);
  });

  test('16 MB of metadata, over GraphQL and REST', async () => {
    const before = await counts();
    const body = {
      targetType: 'user',
      targetId: 'bob',
      data: { text: 'x' },
      metadata: { a: 'x'.repeat(16 * 1_048_576) },
    };
    const answer = await gateway.rest('/api/v4/posts', { as: 'bob', method: 'POST', body });
    expect([answer.status, answer.body.status]).toEqual([413, 'error']);
    const token = await gateway.tokenOf('bob');
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ viewer { userId } }', variables: body }),
    });
    expect(response.status).toBe(413);
    expect(await counts()).toEqual(before);
  });
});

describe('objects in place of text reach no query', () => {
  const operators = [{ $ne: null }, { $gt: '' }, { $regex: '^a' }, ['a'], 7, true];
  const calls: Array<[method: string, path: string, body: (value: unknown) => object]> = [
    ['POST', '/api/v4/posts', (value) => ({ targetType: 'user', targetId: value, data: { text: 'x' } })],
    ['POST', '/api/v4/posts', (value) => ({ targetType: 'user', targetId: 'bob', data: { text: value } })],
    [
      'POST',
      '/api/v4/posts',
      (value) => ({ targetType: 'user', targetId: 'bob', attachments: [{ type: 'image', fileId: value }] }),
    ],
    ['PUT', '/api/v4/posts/tomatoes', (value) => ({ mentionees: [{ type: 'user', userIds: [value] }] })],
    [
      'POST',
      '/api/v3/comments',
      (value) => ({ referenceType: 'post', referenceId: 'tomatoes', parentId: value, data: { text: 'x' } }),
    ],
    ['POST', '/api/v2/reactions', (value) => ({ referenceType: 'post', referenceId: 'tomatoes', reactionName: value })],
    [
      'POST',
      '/api/v4/stories',
      (value) => ({ targetType: 'user', targetId: 'bob', dataType: 'text', data: { text: value } }),
    ],
    ['POST', '/api/v3/polls/shared-bed/votes', (value) => ({ answerIds: [value] })],
    ['POST', '/api/v3/polls', (value) => ({ question: value, answers: [{ data: 'a' }, { data: 'b' }] })],
    ['POST', '/api/v1/analytics/activities', (value) => ({ activities: [{ contentType: 'post', contentId: value }] })],
  ];

  test.each(calls)('%s %s', async (method, path, bodyOf) => {
    const before = await counts();
    commands.length = 0;
    for (const value of operators) {
      const answer = await gateway.rest(path, { as: 'bob', method, body: bodyOf(value) });
      expect([answer.status, answer.body.code], JSON.stringify(value)).toEqual([422, 500000]);
    }
    expect(JSON.stringify(commands)).not.toMatch(/"\$ne":null|"\$regex":"\^a"|"\$gt":""/);
    expect(await counts()).toEqual(before);
  });
});

test('counts reactions with special names like any other reaction', async () => {
  for (const reactionName of ['__proto__', 'constructor', 'a.b', '$inc', 'toString', '%2E', '\u202e', '\u0000']) {
    const input = { referenceType: 'POST', referenceId: 'tomatoes', reactionName };
    const select = 'reference { ... on Post { reactions } } reaction { reactionName }';
    const { reaction, reference } = await mutate(gateway, 'addReaction', input, { select, as: 'carol' });
    expect(reaction.reactionName).toBe(reactionName);
    expect(Object.entries(reference.reactions as object).find(([name]) => name === reactionName)?.[1]).toBe(1);
  }
});
