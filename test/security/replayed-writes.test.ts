import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutate } from '../support/mutate.ts';

/** In every text that was written after bob had lost his access. */
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

interface Kind {
  operation: string;
  input: (ids: Ids) => object;
  select: string;
  /** The write itself takes the record from bob's sight: its answer is repeated as it was. */
  endsAccess?: boolean;
}

/** What bob made before, by name. */
type Ids = { [name: string]: string };

const inChannel = { channelId: 'replay-channel' };
const inCommunity = () => ({ communityId: ids.community! });

/** Every kind of write to what can be seen by some alone. */
const KINDS: Kind[] = [
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
const before = new Map<string, unknown>();
const ids: Ids = {};

const send = ({ operation, input, select }: Kind) =>
  mutate(gateway, operation, { ...input(ids), clientMutationId: `key-${operation}` }, { select, as: 'bob' });

const REST = (): Array<[method: string, path: string, body: object]> => [
  ['POST', '/api/v5/messages', { channelId: 'replay-channel', dataType: 'text', data: { text: 'by REST' } }],
  ['PUT', '/api/v3/channels/replay-channel', { tags: ['rest'] }],
  ['POST', '/api/v4/posts', { targetType: 'community', targetId: ids.community, data: { text: 'by REST' } }],
  ['PUT', `/api/v3/communities/${ids.community}`, { tags: ['rest'] }],
];
const sendRest = ([method, path, body]: ReturnType<typeof REST>[number]) =>
  gateway.rest(path, { as: 'bob', method, body, headers: { 'idempotency-key': `${method} ${path}` } });

const made = async (as: string, operation: string, input: object, select: string) => {
  const answer = await mutate(gateway, operation, input, { select, as });
  expect(answer, operation).not.toMatchObject({ __typename: 'OperationError' });
  return answer;
};

beforeAll(async () => {
  gateway = await openTestNetwork();
  await made(
    'alice',
    'createChannel',
    { channelId: 'replay-channel', type: 'PRIVATE', displayName: 'first', userIds: ['bob', 'mia'] },
    '__typename',
  );
  await made('alice', 'addChannelRole', { ...inChannel, userIds: ['bob'], role: 'channel-moderator' }, '__typename');
  const created = await made(
    'alice',
    'createCommunity',
    { displayName: 'first', isPublic: false, userIds: ['bob', 'mia'] },
    'community { communityId }',
  );
  ids.community = created.community.communityId;
  await made(
    'alice',
    'addCommunityRoles',
    { ...inCommunity(), userIds: ['bob'], roleIds: ['community-moderator'] },
    '__typename',
  );
  const say = async (as: string, text: string) =>
    (await made(as, 'sendMessage', { ...inChannel, data: { text } }, 'chatMessage { messageId }')).chatMessage
      .messageId;
  const publish = async (as: string, text: string) =>
    (
      await made(
        as,
        'createPost',
        { targetType: 'COMMUNITY', targetId: ids.community, data: { text } },
        'post { postId }',
      )
    ).post.postId;
  ids.message = await say('bob', 'mine');
  ids.other = await say('alice', 'hers');
  ids.flagged = await say('alice', 'hers too');
  await made('bob', 'flagMessage', { messageId: ids.flagged }, '__typename');
  await made(
    'bob',
    'addReaction',
    { referenceType: 'MESSAGE', referenceId: ids.message, reactionName: 'wow' },
    '__typename',
  );
  ids.feed = (
    await made('bob', 'createMessageFeed', { ...inChannel, name: 'side' }, 'messageFeed { messageFeedId }')
  ).messageFeed.messageFeedId;
  ids.post = await publish('bob', 'mine');
  ids.gonePost = await publish('bob', 'mine, deleted');
  ids.otherPost = await publish('alice', 'hers');
  const comment = async (as: string) =>
    (
      await made(
        as,
        'createComment',
        { referenceType: 'POST', referenceId: ids.post, data: { text: 'x' } },
        'comment { commentId }',
      )
    ).comment.commentId;
  ids.comment = await comment('bob');
  ids.otherComment = await comment('alice');

  for (const kind of KINDS) before.set(kind.operation, await send(kind));
  for (const call of REST()) expect((await sendRest(call)).status, call.join()).toBe(200);

  await made('alice', 'removeChannelMembers', { ...inChannel, userIds: ['bob'] }, '__typename');
  await made('alice', 'removeCommunityMembers', { ...inCommunity(), userIds: ['bob'] }, '__typename');
  await made('alice', 'updateChannel', { ...inChannel, displayName: LATER, metadata: { note: LATER } }, '__typename');
  await made('alice', 'sendMessage', { messageFeedId: ids.feed, data: { text: LATER } }, '__typename');
  await made('alice', 'sendMessage', { ...inChannel, parentId: ids.message, data: { text: LATER } }, '__typename');
  await made('alice', 'updateCommunity', { ...inCommunity(), displayName: LATER, description: LATER }, '__typename');
  for (const referenceId of [ids.post, ids.otherPost])
    await made('alice', 'createComment', { referenceType: 'POST', referenceId, data: { text: LATER } }, '__typename');
  await made(
    'alice',
    'createComment',
    { referenceType: 'POST', referenceId: ids.post, parentId: ids.comment, data: { text: LATER } },
    '__typename',
  );
  await made(
    'alice',
    'addReaction',
    { referenceType: 'MESSAGE', referenceId: ids.message, reactionName: LATER },
    '__typename',
  );
});
afterAll(() => gateway.close());

describe('a write repeated under its key after its author lost access', () => {
  test.each(KINDS)('$operation shows nothing of the present', async (kind) => {
    const first = before.get(kind.operation) as { __typename: string };
    expect(first.__typename).toMatch(/Payload$/);
    const type = `${kind.operation.charAt(0).toUpperCase()}${kind.operation.slice(1)}`;
    const { data, errors } = await gateway.graphql<{ answer: { code?: string } }>(
      `mutation ($input: ${type}Input!) { answer: ${kind.operation}(input: $input) {
        ... on ${type}Payload { ${kind.select} } ... on OperationError { code } } }`,
      { as: 'bob', variables: { input: { ...kind.input(ids), clientMutationId: `key-${kind.operation}` } } },
    );
    expect(JSON.stringify({ data, errors })).not.toContain(LATER);
    if (!kind.endsAccess) expect({ data, errors }).toEqual({ data: { answer: { code: 'NOT_FOUND' } } });
  });

  test('is absent over REST', async () => {
    for (const call of REST()) {
      const { status, text } = await sendRest(call);
      expect([call, status, text.includes(LATER) && text]).toEqual([call, 404, false]);
    }
  });

  test('a write that is repeated with access answers as it did', async () => {
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

  test('leaving answers as it did, without relations to what happens there now', async () => {
    await made('alice', 'addChannelMembers', { ...inChannel, userIds: ['kim'] }, '__typename');
    const select =
      'channel { channelId displayName messagePreview { data } avatar { fileUrl } } channelUsers { userId membership channel { displayName } }';
    const leave = () =>
      mutate(gateway, 'leaveChannel', { ...inChannel, clientMutationId: 'leave' }, { select, as: 'kim' });
    const first = await leave();
    await made('alice', 'updateChannel', { ...inChannel, displayName: 'renamed again' }, '__typename');
    expect(await leave()).toEqual({ ...first, channel: { ...first.channel, messagePreview: null } });
    expect(first.channelUsers).toEqual([{ userId: 'kim', membership: 'NONE', channel: null }]);
  });

  test('leaving a public channel that is private by now shows nothing that was written since', async () => {
    const channelId = 'replay-public-channel';
    await made('alice', 'createChannel', { channelId, type: 'COMMUNITY', displayName: 'open' }, '__typename');
    const message = await made(
      'alice',
      'sendMessage',
      { channelId, data: { text: 'then' } },
      'chatMessage { messageId }',
    );
    const { messageId } = message.chatMessage;
    await made('carol', 'joinChannel', { channelId }, '__typename');
    const select = `channel { displayName messagePreviewId messagePreview { data author { displayName } feed { name } } viewerMarker { unreadCount }
      messageFeeds(first: 9) { edges { node { messagePreview { data } } } } }`;
    const leave = () =>
      mutate(gateway, 'leaveChannel', { channelId, clientMutationId: 'leave-public' }, { select, as: 'carol' });
    const first = await leave();
    expect(first.channel.messagePreview.data).toEqual({ text: 'then' });
    await made('alice', 'updateChannel', { channelId, isPublic: false, displayName: LATER }, '__typename');
    await made('alice', 'updateMessage', { messageId, data: { text: LATER } }, '__typename');
    const again = await leave();
    expect(again.channel).toMatchObject({ displayName: 'open', messagePreviewId: null, messagePreview: null });
    expect(JSON.stringify(again)).not.toContain(LATER);
  });
});
