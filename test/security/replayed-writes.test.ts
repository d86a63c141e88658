import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutate } from '../support/mutate.ts';

/** The value of every text written after bob lost access. */
const LATER = 'written-after-the-removal';

const MESSAGES = 'messages(first: 20) { edges { node { data } } }';
const CHANNEL = `channelId displayName metadata messagePreviewId messagePreview { data } conversationMembers { userId }
  messageFeeds(first: 9) { edges { node { name ${MESSAGES} } } } members(first: 9) { edges { node { userId } } }`;
const MEMBERS = `channel { ${CHANNEL} } channelUsers { userId channel { displayName metadata } }`;
const FEED = `messageFeedId name lastMessage { data } messagePreview { data } channel { ${CHANNEL} } ${MESSAGES}`;
const MESSAGE = `messageId messageFeed { ${FEED} } channel { ${CHANNEL} } parent { data } replies(first: 9) { edges { node { data } } }
  readUsers(first: 9) { edges { node { displayName } } } reactors(first: 9) { edges { node { reactionName } } }`;
const COMMUNITY = `communityId displayName description metadata channel { ${CHANNEL} } publishedFeed { postCount }
  pins(first: 9) { edges { node { post { data { text } } } } } members(first: 9) { edges { node { userId } } }`;
const COMMENT =
  'commentId data latestReplies { data } authorMembership { roles } reactors { edges { node { reactionName } } }';
const POST = `postId data { text } community { ${COMMUNITY} } feed { postCount } authorMembership { roles } pins { pinnedBy }
  latestComments { ${COMMENT} } childPosts { postId } poll { question } reactors { edges { node { reactionName } } }`;
const STORY = `storyId community { ${COMMUNITY} } latestComments { ${COMMENT} }`;
const MOVED = `community { ${COMMUNITY} } members { userId }`;

interface Write {
  operation: string;
  input: (ids: Ids) => object;
  select: string;
  /** After the write bob cannot read the record: the response is repeated as it was. */
  endsAccess?: boolean;
}

/** Ids of records created before the writes, by name. */
type Ids = { [name: string]: string };

const inChannel = { channelId: 'replay-channel' };
const inCommunity = () => ({ communityId: ids.community! });

/** Every kind of write to records that not every user may read. */
const WRITES: Write[] = [
  {
    operation: 'sendMessage',
    input: () => ({ ...inChannel, data: { text: 'hi' } }),
    select: `chatMessage { ${MESSAGE} }`,
  },
  {
    operation: 'updateMessage',
    input: ({ message }) => ({ messageId: message, data: { text: 'hello' } }),
    select: `chatMessage { ${MESSAGE} }`,
  },
  {
    operation: 'flagMessage',
    input: ({ other }) => ({ messageId: other }),
    select: `flaggedMessage: message { ${MESSAGE} }`,
  },
  {
    operation: 'unflagMessage',
    input: ({ flagged }) => ({ messageId: flagged }),
    select: `chatMessage { ${MESSAGE} }`,
  },
  {
    operation: 'addReaction',
    input: ({ message }) => ({ referenceType: 'MESSAGE', referenceId: message, reactionName: 'like' }),
    select: `reference { ... on Message { ${MESSAGE} } }`,
  },
  {
    operation: 'removeReaction',
    input: ({ message }) => ({ referenceType: 'MESSAGE', referenceId: message, reactionName: 'wow' }),
    select: `reference { ... on Message { ${MESSAGE} } }`,
  },
  { operation: 'createMessageFeed', input: () => ({ ...inChannel, name: 'more' }), select: `messageFeed { ${FEED} }` },
  {
    operation: 'updateMessageFeed',
    input: ({ feed }) => ({ messageFeedId: feed, name: 'side' }),
    select: `messageFeed { ${FEED} }`,
  },
  { operation: 'updateChannel', input: () => ({ ...inChannel, tags: ['a'] }), select: `channel { ${CHANNEL} }` },
  { operation: 'muteChannel', input: () => ({ ...inChannel, mutePeriod: 1_000 }), select: `channel { ${CHANNEL} }` },
  { operation: 'addChannelMembers', input: () => ({ ...inChannel, userIds: ['carol'] }), select: MEMBERS },
  {
    operation: 'muteChannelMembers',
    input: () => ({ ...inChannel, userIds: ['carol'], mutePeriod: 1_000 }),
    select: MEMBERS,
  },
  {
    operation: 'addChannelRole',
    input: () => ({ ...inChannel, userIds: ['carol'], role: 'channel-moderator' }),
    select: MEMBERS,
  },
  { operation: 'banChannelMembers', input: () => ({ ...inChannel, userIds: ['mia'] }), select: MEMBERS },
  {
    operation: 'createPost',
    input: () => ({ targetType: 'COMMUNITY', targetId: ids.community, data: { text: 'new' } }),
    select: `post { ${POST} }`,
  },
  {
    operation: 'updatePost',
    input: ({ post }) => ({ postId: post, data: { text: 'changed' } }),
    select: `post { ${POST} }`,
  },
  { operation: 'flagPost', input: ({ otherPost }) => ({ postId: otherPost }), select: `post { ${POST} }` },
  {
    operation: 'deletePost',
    input: ({ gonePost }) => ({ postId: gonePost }),
    select: `post { ${POST} }`,
    endsAccess: true,
  },
  {
    operation: 'pinPost',
    input: ({ post }) => ({ postId: post, placement: 'DEFAULT', ...inCommunity() }),
    select: `pin { post { ${POST} } }`,
  },
  {
    operation: 'createComment',
    input: ({ post }) => ({ referenceType: 'POST', referenceId: post, data: { text: 'so' } }),
    select: `comment { ${COMMENT} }`,
  },
  {
    operation: 'updateComment',
    input: ({ comment }) => ({ commentId: comment, data: { text: 'oh' } }),
    select: `comment { ${COMMENT} }`,
  },
  {
    operation: 'flagComment',
    input: ({ otherComment }) => ({ commentId: otherComment }),
    select: `comment { ${COMMENT} }`,
  },
  {
    operation: 'createStory',
    input: () => ({
      targetType: 'COMMUNITY',
      targetId: ids.community,
      dataType: 'TEXT',
      data: { text: 'new' },
    }),
    select: `story { ${STORY} }`,
  },
  {
    operation: 'updateCommunity',
    input: () => ({ ...inCommunity(), tags: ['a'] }),
    select: `community { ${COMMUNITY} }`,
  },
  { operation: 'addCommunityMembers', input: () => ({ ...inCommunity(), userIds: ['carol'] }), select: MOVED },
  {
    operation: 'addCommunityRoles',
    input: () => ({ ...inCommunity(), userIds: ['carol'], roleIds: ['community-moderator'] }),
    select: MOVED,
  },
  { operation: 'banCommunityMembers', input: () => ({ ...inCommunity(), userIds: ['mia'] }), select: MOVED },
];

let gateway: TestGateway;
const firstResponses = new Map<string, unknown>();
const ids: Ids = {};

const send = ({ operation, input, select }: Write) =>
  mutate(gateway, operation, { ...input(ids), clientMutationId: `key-${operation}` }, { select, as: 'bob' });

const REST = (): Array<[method: string, path: string, body: object]> => [
  ['POST', '/api/v5/messages', { channelId: 'replay-channel', dataType: 'text', data: { text: 'by REST' } }],
  ['PUT', '/api/v3/channels/replay-channel', { tags: ['rest'] }],
  ['POST', '/api/v4/posts', { targetType: 'community', targetId: ids.community, data: { text: 'by REST' } }],
  ['PUT', `/api/v3/communities/${ids.community}`, { tags: ['rest'] }],
];
const sendRest = ([method, path, body]: ReturnType<typeof REST>[number]) =>
  gateway.rest(path, { as: 'bob', method, body, headers: { 'idempotency-key': `${method} ${path}` } });

const mutateAs = async (as: string, operation: string, input: object, select: string) => {
  const answer = await mutate(gateway, operation, input, { select, as });
  expect(answer, operation).not.toMatchObject({ __typename: 'OperationError' });
  return answer;
};

beforeAll(async () => {
  gateway = await openTestNetwork();
  await mutateAs(
    'alice',
    'createChannel',
    { channelId: 'replay-channel', type: 'PRIVATE', displayName: 'first', userIds: ['bob', 'mia'] },
    '__typename',
  );
  await mutateAs(
    'alice',
    'addChannelRole',
    { ...inChannel, userIds: ['bob'], role: 'channel-moderator' },
    '__typename',
  );
  const created = await mutateAs(
    'alice',
    'createCommunity',
    { displayName: 'first', isPublic: false, userIds: ['bob', 'mia'] },
    'community { communityId }',
  );
  ids.community = created.community.communityId;
  await mutateAs(
    'alice',
    'addCommunityRoles',
    { ...inCommunity(), userIds: ['bob'], roleIds: ['community-moderator'] },
    '__typename',
  );
  const sendText = async (as: string, text: string) =>
    (await mutateAs(as, 'sendMessage', { ...inChannel, data: { text } }, 'chatMessage { messageId }')).chatMessage
      .messageId;
  const createPost = async (as: string, text: string) =>
    (
      await mutateAs(
        as,
        'createPost',
        { targetType: 'COMMUNITY', targetId: ids.community, data: { text } },
        'post { postId }',
      )
    ).post.postId;
  ids.message = await sendText('bob', 'mine');
  ids.other = await sendText('alice', 'hers');
  ids.flagged = await sendText('alice', 'hers too');
  await mutateAs('bob', 'flagMessage', { messageId: ids.flagged }, '__typename');
  await mutateAs(
    'bob',
    'addReaction',
    { referenceType: 'MESSAGE', referenceId: ids.message, reactionName: 'wow' },
    '__typename',
  );
  ids.feed = (
    await mutateAs('bob', 'createMessageFeed', { ...inChannel, name: 'side' }, 'messageFeed { messageFeedId }')
  ).messageFeed.messageFeedId;
  ids.post = await createPost('bob', 'mine');
  ids.gonePost = await createPost('bob', 'mine, deleted');
  ids.otherPost = await createPost('alice', 'hers');
  const comment = async (as: string) =>
    (
      await mutateAs(
        as,
        'createComment',
        { referenceType: 'POST', referenceId: ids.post, data: { text: 'x' } },
        'comment { commentId }',
      )
    ).comment.commentId;
  ids.comment = await comment('bob');
  ids.otherComment = await comment('alice');

  for (const write of WRITES) firstResponses.set(write.operation, await send(write));
  for (const call of REST()) expect((await sendRest(call)).status, call.join()).toBe(200);

  await mutateAs('alice', 'removeChannelMembers', { ...inChannel, userIds: ['bob'] }, '__typename');
  await mutateAs('alice', 'removeCommunityMembers', { ...inCommunity(), userIds: ['bob'] }, '__typename');
  await mutateAs(
    'alice',
    'updateChannel',
    { ...inChannel, displayName: LATER, metadata: { note: LATER } },
    '__typename',
  );
  await mutateAs('alice', 'sendMessage', { messageFeedId: ids.feed, data: { text: LATER } }, '__typename');
  await mutateAs('alice', 'sendMessage', { ...inChannel, parentId: ids.message, data: { text: LATER } }, '__typename');
  await mutateAs(
    'alice',
    'updateCommunity',
    { ...inCommunity(), displayName: LATER, description: LATER },
    '__typename',
  );
  for (const referenceId of [ids.post, ids.otherPost])
    await mutateAs(
      'alice',
      'createComment',
      { referenceType: 'POST', referenceId, data: { text: LATER } },
      '__typename',
    );
  await mutateAs(
    'alice',
    'createComment',
    { referenceType: 'POST', referenceId: ids.post, parentId: ids.comment, data: { text: LATER } },
    '__typename',
  );
  await mutateAs(
    'alice',
    'addReaction',
    { referenceType: 'MESSAGE', referenceId: ids.message, reactionName: LATER },
    '__typename',
  );
});
afterAll(() => gateway.close());

describe('a write repeated with its key after its author lost access', () => {
  test.each(WRITES)('$operation returns nothing written since', async (write) => {
    const first = firstResponses.get(write.operation) as { __typename: string };
    expect(first.__typename).toMatch(/Payload$/);
    const type = `${write.operation.charAt(0).toUpperCase()}${write.operation.slice(1)}`;
    const { data, errors } = await gateway.graphql<{ answer: { code?: string } }>(
      `mutation ($input: ${type}Input!) { answer: ${write.operation}(input: $input) {
        ... on ${type}Payload { ${write.select} } ... on OperationError { code } } }`,
      { as: 'bob', variables: { input: { ...write.input(ids), clientMutationId: `key-${write.operation}` } } },
    );
    expect(JSON.stringify({ data, errors })).not.toContain(LATER);
    if (!write.endsAccess) expect({ data, errors }).toEqual({ data: { answer: { code: 'NOT_FOUND' } } });
  });

  test('is answered with 404 over REST', async () => {
    for (const call of REST()) {
      const { status, text } = await sendRest(call);
      expect([call, status, text.includes(LATER) && text]).toEqual([call, 404, false]);
    }
  });

  test('returns the first response while its author has access', async () => {
    const send = () =>
      mutate(
        gateway,
        'sendMessage',
        { ...inChannel, data: { text: 'x' }, clientMutationId: 'own' },
        {
          select: `chatMessage { ${MESSAGE} }`,
          as: 'alice',
        },
      );
    const first = await send();
    expect(await send()).toMatchObject({ chatMessage: { messageId: first.chatMessage.messageId } });
  });

  test('leaving returns the first response, without relations to the current state', async () => {
    await mutateAs('alice', 'addChannelMembers', { ...inChannel, userIds: ['kim'] }, '__typename');
    const select =
      'channel { channelId displayName messagePreview { data } avatar { fileUrl } } channelUsers { userId membership channel { displayName } }';
    const leave = () =>
      mutate(gateway, 'leaveChannel', { ...inChannel, clientMutationId: 'leave' }, { select, as: 'kim' });
    const first = await leave();
    await mutateAs('alice', 'updateChannel', { ...inChannel, displayName: 'renamed again' }, '__typename');
    expect(await leave()).toEqual({ ...first, channel: { ...first.channel, messagePreview: null } });
    expect(first.channelUsers).toEqual([{ userId: 'kim', membership: 'NONE', channel: null }]);
  });

  test('leaving a public channel that is private now returns nothing written since', async () => {
    const channelId = 'replay-public-channel';
    await mutateAs('alice', 'createChannel', { channelId, type: 'COMMUNITY', displayName: 'open' }, '__typename');
    const message = await mutateAs(
      'alice',
      'sendMessage',
      { channelId, data: { text: 'then' } },
      'chatMessage { messageId }',
    );
    const { messageId } = message.chatMessage;
    await mutateAs('carol', 'joinChannel', { channelId }, '__typename');
    const select = `channel { displayName messagePreviewId messagePreview { data author { displayName } feed { name } } viewerMarker { unreadCount }
      messageFeeds(first: 9) { edges { node { messagePreview { data } } } } }`;
    const leave = () =>
      mutate(gateway, 'leaveChannel', { channelId, clientMutationId: 'leave-public' }, { select, as: 'carol' });
    const first = await leave();
    expect(first.channel.messagePreview.data).toEqual({ text: 'then' });
    await mutateAs('alice', 'updateChannel', { channelId, isPublic: false, displayName: LATER }, '__typename');
    await mutateAs('alice', 'updateMessage', { messageId, data: { text: LATER } }, '__typename');
    const again = await leave();
    expect(again.channel).toMatchObject({ displayName: 'open', messagePreviewId: null, messagePreview: null });
    expect(JSON.stringify(again)).not.toContain(LATER);
  });
});
