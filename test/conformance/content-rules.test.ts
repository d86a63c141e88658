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
  ])('to other domains are refused: %s', async (text) => {
    expect(await post(text)).toMatchObject({ code: 'LINK_NOT_ALLOWED' });
  });

  test.each([
    'https://example.com/a?b',
    'http://www.EXAMPLE.com',
    'https://bücher.example',
    'example.com/a',
    'no link, e.g. index.ts and/or 1.5/2',
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

test('administrators alone read and change the rules, and fields that are absent keep their value', async () => {
  expect(await mutate('alice', 'updateContentRules', { blockedWords: [] }, 'rules { blockedWords }')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await setRules({ allowedLinkDomains: null });
  const { data } = await gateway.graphql('{ contentRules { blockedWords allowedLinkDomains } }', { as: 'admin' });
  expect(data?.contentRules).toEqual({ blockedWords: ['Ragwort', 'poison ivy', 'ass'], allowedLinkDomains: null });
  expect(await post('https://evil.example')).not.toHaveProperty('code');
});
