import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let postId: string;
const mutate = mutations(() => gateway);
const setRules = (input: object) =>
  mutate('admin', 'updateContentRules', input, 'rules { blockedWords allowedLinkDomains }');
const post = (text: string) =>
  mutate('alice', 'createPost', { targetType: 'USER', targetId: 'alice', data: { text } }, 'post { postId }');
const verify = (list: 'allowlists' | 'blocklists', data: string[]) =>
  gateway.rest(`/api/v3/${list}/verify`, { method: 'POST', body: { data } });

beforeAll(async () => {
  gateway = await openTestNetwork();
  postId = (await post('Good morning')).post.postId;
  const input = {
    blockedWords: ['Ragwort', 'poison ivy', 'ass'],
    allowedLinkDomains: ['example.com', 'bücher.example'],
  };
  expect(await setRules(input)).toMatchObject({
    rules: { blockedWords: input.blockedWords, allowedLinkDomains: ['example.com', 'xn--bcher-kva.example'] },
  });
});
afterAll(() => gateway.close());

const blocked = { code: 'BLOCKED_WORD', path: ['data'] };

describe('blocked words', () => {
  test.each(['ragwort', 'Look: RAGWORT!', 'Rágwört everywhere', 'some poison  ivy', 'rag\u200bwo\u00adrt'])(
    'are recognized in "%s"',
    async (text) => {
      expect(await post(text)).toMatchObject(blocked);
    },
  );

  test.each(['ragworts', 'class', 'ivy poison'])('do not match other words: "%s"', async (text) => {
    expect(await post(text)).not.toHaveProperty('code');
  });

  test('apply to changed posts, comments and messages', async () => {
    const data = { text: 'ragwort' };
    expect(await mutate('alice', 'updatePost', { postId, data }, 'post { postId }')).toMatchObject(blocked);
    expect(
      await mutate('alice', 'createComment', { referenceId: postId, data }, 'comment { commentId }'),
    ).toMatchObject(blocked);
    const { comment } = await mutate(
      'alice',
      'createComment',
      { referenceId: postId, data: { text: 'Hi' } },
      'comment { commentId }',
    );
    expect(await mutate('alice', 'updateComment', { ...comment, data }, 'comment { commentId }')).toMatchObject(
      blocked,
    );
    const { channel } = await mutate('alice', 'createConversation', { userIds: ['bob'] }, 'channel { channelId }');
    expect(await mutate('alice', 'sendMessage', { ...channel, data }, 'chatMessage { messageId }')).toMatchObject(
      blocked,
    );
    const sent = await mutate(
      'alice',
      'sendMessage',
      { ...channel, data: { text: 'Hi' } },
      'chatMessage { messageId }',
    );
    expect(
      await mutate('alice', 'updateMessage', { ...sent.chatMessage, data }, 'chatMessage { messageId }'),
    ).toMatchObject(blocked);
  });
});

test('blocked words and links are refused in polls', async () => {
  const answers = [{ data: 'Yes' }, { data: 'No' }];
  const create = (input: object) =>
    mutate('alice', 'createPoll', { question: 'Which?', answers, ...input }, 'poll { pollId }');
  for (const input of [{ title: 'ragwort' }, { question: 'ragwort?' }, { answers: [{ data: 'Ragwort' }, ...answers] }])
    expect(await create(input)).toMatchObject({ code: 'BLOCKED_WORD', path: ['question'] });
  expect(await create({ question: 'https://evil.example' })).toMatchObject({ code: 'LINK_NOT_ALLOWED' });
  const { poll } = await create({});
  const change = { ...poll, question: 'Ragwort?' };
  expect(await mutate('alice', 'updatePoll', change, 'poll { pollId }')).toMatchObject({ code: 'BLOCKED_WORD' });
});

test('an entry without a word is refused, because it would match nothing', async () => {
  expect(await setRules({ blockedWords: ['🖕'] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
});

/** Texts that take ICU long, or that become many times longer when they are folded. */
const LONG: Array<[name: string, text: string]> = [
  ['short words', 'a '.repeat(10_000)],
  ['short Cyrillic words', 'я '.repeat(10_000)],
  ['a script without spaces', '漢字'.repeat(10_000)],
  ['one word', 'a'.repeat(20_000)],
  ['ligatures of a phrase', '\ufdfa'.repeat(20_000)],
  ['beginnings of links', 'a.a-'.repeat(5_000)],
];

test.each(LONG)('a long text of %s does not block others', async (_, text) => {
  const longestDelayMs = async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    expect(await post(text)).not.toHaveProperty('code');
    delay.disable();
    return delay.max / 1e6;
  };
  // Other programs may interrupt this one for as long, but not each time.
  await expect.poll(longestDelayMs).toBeLessThan(400);
});

test('the last word of a long text is found', async () => {
  for (const filler of ['a ', '漢字', '😀', "don't "]) {
    const text = `${filler.repeat(Math.floor(19_900 / filler.length))} ragwort`;
    expect(await post(text), filler).toMatchObject(blocked);
  }
});

describe('over REST, blocked words and links are refused with the codes of the interface', () => {
  const send = (method: string, path: string, body: object) => gateway.rest(path, { method, body });
  const REFUSED = [
    ['a blocked word', 'ragwort', 400308],
    ['a link', 'https://evil.example', 400309],
  ] as const;

  test.each(REFUSED)('%s', async (_, text, code) => {
    const data = { text };
    const { body: commented } = await send('POST', '/api/v3/comments', {
      referenceType: 'post',
      referenceId: postId,
      data: { text: 'Hi' },
    });
    const { channel } = await mutate('alice', 'createConversation', { userIds: ['bob'] }, 'channel { channelId }');
    const sent = await mutate(
      'alice',
      'sendMessage',
      { ...channel, data: { text: 'Hi' } },
      'chatMessage { messageId messageFeedId }',
    );
    const { messageId, messageFeedId } = sent.chatMessage;
    const answers = [
      await send('POST', '/api/v4/posts', { targetType: 'user', targetId: 'alice', data }),
      await send('PUT', `/api/v4/posts/${postId}`, { data }),
      await send('POST', '/api/v3/comments', { referenceType: 'post', referenceId: postId, data }),
      await send('PUT', `/api/v3/comments/${commented.comments[0].commentId}`, { data }),
      await send('POST', '/api/v5/messages', { messageFeedId, dataType: 'text', data }),
      await send('PUT', `/api/v5/messages/${messageId}`, { data }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code } });
    const stored = await gateway.rest(`/api/v3/posts/${postId}`);
    expect(stored.body.posts[0].data.text).toBe('Good morning');
  });

  test('for administrators too', async () => {
    const input = { targetType: 'USER', targetId: 'admin', data: { text: 'ragwort' } };
    expect(await mutate('admin', 'createPost', input, 'post { postId }')).toMatchObject(blocked);
  });
});

describe('links', () => {
  test.each([
    'See https://evil.example/x',
    'www.evil.example',
    'https://example.com.evil.example',
    'http://example.com@evil.example/',
    'evil.example/page',
    'ftp://evil.example',
    'https://example.com.evil.example.',
    'https://example.com)evil.example',
  ])('to other domains are refused: %s', async (text) => {
    expect(await post(text)).toMatchObject({ code: 'LINK_NOT_ALLOWED' });
  });

  test.each([
    'https://example.com/a?b',
    'http://www.EXAMPLE.com',
    'https://bücher.example',
    'example.com/a',
    'no link, e.g. index.ts and/or 1.5/2',
    'The end of a sentence: https://example.com.',
    '(See https://www.example.com/a), or "https://example.com"!',
    'https://example.com./page',
  ])('to allowed domains are accepted: %s', async (text) => {
    expect(await post(text)).not.toHaveProperty('code');
  });
});

test('clients verify words and links before they send them', async () => {
  expect((await verify('blocklists', ['rose'])).body).toEqual({ success: true });
  expect(await verify('blocklists', ['rose', 'ragwort'])).toMatchObject({ status: 403, body: { code: 400308 } });
  expect((await verify('allowlists', ['https://example.com'])).body).toEqual({ success: true });
  for (const link of ['https://evil.example', 'evil.example', 'not a link'])
    expect(await verify('allowlists', [link])).toMatchObject({ status: 403, body: { code: 400309 } });
  expect((await verify('allowlists', ['example.com', 'www.example.com/a'])).body).toEqual({ success: true });
});

test('clients verify no more text per request than a post can have', async () => {
  const verifyMany = (count: number) =>
    verify(
      'blocklists',
      Array.from({ length: count }, () => 'a '.repeat(1_000)),
    );
  expect(await verifyMany(10)).toMatchObject({ status: 200 });
  expect(await verifyMany(11)).toMatchObject({ status: 422 });
});

test('administrators alone read and change the rules, and fields that are absent keep their value', async () => {
  expect(await mutate('alice', 'updateContentRules', { blockedWords: [] }, 'rules { blockedWords }')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await setRules({ allowedLinkDomains: null });
  const { data } = await gateway.graphql('{ contentRules { blockedWords allowedLinkDomains } }', { as: 'admin' });
  expect(data?.contentRules).toEqual({ blockedWords: ['Ragwort', 'poison ivy', 'ass'], allowedLinkDomains: null });
  expect(await post('https://evil.example')).not.toHaveProperty('code');
});
