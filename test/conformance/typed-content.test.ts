import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof successfulMutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = successfulMutations(gateway);
});
afterAll(() => gateway.close());

const MESSAGE = `content {
  __typename
  ... on TextMessageContent { text }
  ... on FileMessageContent { fileId caption file { fileId } thumbnail { fileId } }
  ... on CustomMessageContent { data }
}`;
const COMMENT = `content {
  __typename
  ... on TextCommentContent { text images { fileId } }
  ... on ImageCommentContent { images { fileId } }
}`;

async function imageOf(as: string): Promise<string> {
  const { viewerFiles } = await ask(gateway, '{ viewerFiles { edges { node { fileId type } } } }', { as });
  return viewerFiles.edges.find(({ node }: { node: { type: string } }) => node.type === 'IMAGE').node.fileId;
}

test('the content of a message is typed by its kind', async () => {
  const send = async (input: object) =>
    (await mutate('alice', 'sendMessage', { channelId: 'gardeners-chat', ...input }, `chatMessage { ${MESSAGE} }`))
      .chatMessage.content;
  expect(await send({ data: { text: 'Hello' } })).toEqual({ __typename: 'TextMessageContent', text: 'Hello' });
  const fileId = await imageOf('alice');
  expect(await send({ dataType: 'IMAGE', fileId, data: { caption: 'Beans' } })).toEqual({
    __typename: 'FileMessageContent',
    fileId,
    caption: 'Beans',
    file: { fileId },
    thumbnail: null,
  });
  expect(await send({ dataType: 'CUSTOM', data: { seeds: 3 } })).toEqual({
    __typename: 'CustomMessageContent',
    data: { seeds: 3 },
  });
});

test('a deleted message has no content, except for moderators', async () => {
  const { chatMessage } = await mutate(
    'bob',
    'sendMessage',
    { channelId: 'gardeners-chat', data: { text: 'Gone' } },
    'chatMessage { messageId }',
  );
  await mutate('bob', 'deleteMessage', { messageId: chatMessage.messageId });
  const read = async (as: string) =>
    (await ask(gateway, `{ message(messageId: "${chatMessage.messageId}") { ${MESSAGE} } }`, { as })).message.content;
  expect(await read('bob')).toBeNull();
  expect(await read('admin')).toEqual({ __typename: 'TextMessageContent', text: 'Gone' });
});

test('the content of a comment is typed, and its payload updates the number of comments of the post', async () => {
  const READ = '{ post(postId: "tomatoes") { commentsCount } }';
  const before = (await ask(gateway, READ)).post.commentsCount;
  const select = `comment { commentId ${COMMENT} reference { __typename ... on Post { postId commentsCount } } }`;
  const { comment } = await mutate(
    'alice',
    'createComment',
    { referenceId: 'tomatoes', data: { text: 'Ripe' } },
    select,
  );
  expect(comment.content).toEqual({ __typename: 'TextCommentContent', text: 'Ripe', images: [] });
  expect(comment.reference).toEqual({ __typename: 'Post', postId: 'tomatoes', commentsCount: before + 1 });
  const fileId = await imageOf('alice');
  const image = { referenceId: 'tomatoes', attachments: [{ type: 'IMAGE', fileId }] };
  const pictured = (await mutate('alice', 'createComment', image, select)).comment;
  expect(pictured.content).toEqual({ __typename: 'ImageCommentContent', images: [{ fileId }] });
  const deleted = (await mutate('alice', 'deleteComment', { commentId: comment.commentId }, select)).comment;
  expect(deleted.reference.commentsCount).toBe(before + 1);
  expect((await ask(gateway, READ)).post.commentsCount).toBe(before + 1);
});

test('markChannelsSeen returns the changed markers', async () => {
  await mutate('alice', 'sendMessage', { channelId: 'alice-and-bob', data: { text: 'Hi' } });
  const seen = await mutate(
    'bob',
    'markChannelsSeen',
    { channels: [{ channelId: 'alice-and-bob' }] },
    'userMarker { id } userEntityMarkers { unreadCount channel { channelId } } userFeedMarkers { unreadCount feedId }',
  );
  expect(seen.userEntityMarkers).toEqual([{ unreadCount: 0, channel: { channelId: 'alice-and-bob' } }]);
  expect(seen.userFeedMarkers).toMatchObject([{ unreadCount: 0 }]);
});

test('a public id in place of a global id is refused with a hint', async () => {
  for (const id of ['seedlings', 'no such id', '']) {
    const { errors } = await gateway.graphql('query ($id: ID!) { node(id: $id) { id } }', { variables: { id } });
    expect(errors?.[0], id).toMatchObject({
      message: expect.stringContaining('use the value of the field `id`'),
      extensions: { code: 'BAD_REQUEST' },
    });
  }
});
