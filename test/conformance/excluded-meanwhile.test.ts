import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

/**
 * Kim is a member of a private community and a private channel, and loses access while a write that was authorized waits
 * for its lock.
 */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

/** Records by the names that the tables use. */
const ids: Record<string, string | undefined> = {};

const data = { text: 'Hi' };
const answers = [{ data: 'Yes' }, { data: 'No' }];

async function createPost(as: string, target: object, input: object = { data }): Promise<string> {
  return (await succeed(as, 'createPost', { ...target, ...input }, 'post { postId }')).post.postId;
}

/** Creates a poll in a post. @returns its id and those of its answers */
async function createPoll(as: string, target: object): Promise<string[]> {
  const { poll } = await succeed(
    as,
    'createPoll',
    { question: 'Now?', answers },
    'poll { pollId answers { answerId } }',
  );
  await createPost(as, target, { dataType: 'poll', data: { pollId: poll.pollId } });
  return [poll.pollId, ...poll.answers.map(({ answerId }: { answerId: string }) => answerId)];
}

const inCommunity = () => ({ communityId: ids.community, userIds: ['kim'] });
const inChannel = () => ({ channelId: 'beds', userIds: ['kim'] });

beforeAll(async () => {
  gateway = await openTestNetwork();
  const opened = { displayName: 'Beds', isPublic: false, userIds: ['kim'] };
  ids.community = (
    await succeed('alice', 'createCommunity', opened, 'community { communityId }')
  ).community.communityId;
  const target = { targetType: 'COMMUNITY', targetId: ids.community };
  ids.post = await createPost('alice', target);
  ids.ownPost = await createPost('kim', target);
  const comment = async (as: string) =>
    (await succeed(as, 'createComment', { referenceId: ids.post, data }, 'comment { commentId }')).comment.commentId;
  ids.comment = await comment('alice');
  ids.ownComment = await comment('kim');
  const story = { ...target, dataType: 'TEXT', data };
  ids.story = (await succeed('alice', 'createStory', story, 'story { storyId }')).story.storyId;
  [ids.poll, ids.yes] = await createPoll('alice', target);
  [ids.votedPoll, ids.votedYes, ids.votedNo] = await createPoll('alice', target);
  await succeed('kim', 'votePoll', { pollId: ids.votedPoll, answerIds: [ids.votedYes] });
  await succeed('alice', 'createChannel', {
    channelId: 'beds',
    displayName: 'Beds',
    type: 'PRIVATE',
    userIds: ['kim'],
  });
  const send = async (as: string) =>
    (await succeed(as, 'sendMessage', { channelId: 'beds', data }, 'chatMessage { messageId }')).chatMessage.messageId;
  ids.message = await send('alice');
  ids.ownMessage = await send('kim');
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

interface Write {
  operation: string;
  /** Kind and name of the record for which the operation waits. */
  lock: () => string;
  input: () => object;
}

/** The answer to a write that waits for its lock when `happens` takes place. */
async function answerAfter(as: string, { operation, lock, input }: Write, happens: () => Promise<unknown>) {
  const [kind, id] = lock().split(' ');
  await gateway.tokenOf(as);
  const [answer] = await whileLocked({
    store: gateway.services.store,
    key: `${kind} ${gateway.networkId} ${id}`,
    start: () => [mutate(as, operation, input(), '__typename')],
    happens,
  });
  return answer;
}

/** The answer to a write that was authorized, but has not started its transaction, when `happens` takes place. */
async function answerAfterAuthorization(
  as: string,
  { operation, input }: Omit<Write, 'lock'>,
  happens: () => Promise<unknown>,
) {
  const { store } = gateway.services;
  const { transaction } = store;
  await gateway.tokenOf(as);
  vi.spyOn(store, 'transaction').mockImplementationOnce(async (work, options) => {
    await happens();
    return transaction(work, options);
  });
  return mutate(as, operation, input(), '__typename');
}

const text = { text: 'Late' };
const IN_COMMUNITY: Write[] = [
  {
    operation: 'updatePost',
    lock: () => `post ${ids.ownPost}`,
    input: () => ({ postId: ids.ownPost, data: text }),
  },
  {
    operation: 'createComment',
    lock: () => `post ${ids.post}`,
    input: () => ({ referenceId: ids.post, data: text }),
  },
  {
    operation: 'updateComment',
    lock: () => `comment ${ids.ownComment}`,
    input: () => ({ commentId: ids.ownComment, data: text }),
  },
  {
    operation: 'votePoll',
    lock: () => `poll ${ids.poll}`,
    input: () => ({ pollId: ids.poll, answerIds: [ids.yes] }),
  },
  {
    operation: 'changePollVote',
    lock: () => `poll ${ids.votedPoll}`,
    input: () => ({ pollId: ids.votedPoll, answerIds: [ids.votedNo] }),
  },
  { operation: 'unvotePoll', lock: () => `poll ${ids.votedPoll}`, input: () => ({ pollId: ids.votedPoll }) },
  { operation: 'flagPost', lock: () => `post ${ids.post}`, input: () => ({ postId: ids.post }) },
  { operation: 'flagComment', lock: () => `comment ${ids.comment}`, input: () => ({ commentId: ids.comment }) },
  { operation: 'flagStory', lock: () => `story ${ids.story}`, input: () => ({ storyId: ids.story }) },
];

const FROM_COMMUNITY = IN_COMMUNITY.flatMap((write) =>
  (['ban', 'remove'] as const).map((end) => ({ end, operation: write.operation, write })),
);

test.each(FROM_COMMUNITY)('rejects $operation after a $end from its private community', async ({ end, write }) => {
  const answer = await answerAfter('kim', write, () => succeed('alice', `${end}CommunityMembers`, inCommunity()));
  if (end === 'ban') await succeed('alice', 'unbanCommunityMembers', inCommunity());
  await succeed('alice', 'addCommunityMembers', inCommunity());
  expect(answer).toMatchObject({ code: 'NOT_FOUND' });
});

const FROM_CHANNEL = [
  { operation: 'updateMessage', end: 'ban', code: 'BANNED' },
  { operation: 'updateMessage', end: 'remove', code: 'FORBIDDEN' },
  { operation: 'updateMessage', end: 'mute', code: 'USER_MUTED' },
  { operation: 'flagMessage', end: 'ban', code: 'NOT_FOUND' },
  { operation: 'flagMessage', end: 'remove', code: 'NOT_FOUND' },
];

test.each(FROM_CHANNEL)(
  'rejects $operation after a $end from its private channel',
  async ({ operation, end, code }) => {
    const input = () =>
      operation === 'updateMessage' ? { messageId: ids.ownMessage, data: text } : { messageId: ids.message };
    const muted = end === 'mute' && { mutePeriod: -1 };
    const answer = await answerAfterAuthorization('kim', { operation, input }, () =>
      succeed('alice', `${end}ChannelMembers`, { ...inChannel(), ...muted }),
    );
    if (end === 'ban') await succeed('alice', 'unbanChannelMembers', inChannel());
    if (end === 'mute') await succeed('alice', 'muteChannelMembers', { ...inChannel(), mutePeriod: 0 });
    else await succeed('alice', 'addChannelMembers', inChannel());
    expect(answer).toMatchObject({ code });
  },
);

test('rejects an edit of a message in a channel that is muted before it is written', async () => {
  const input = () => ({ messageId: ids.ownMessage, data: text });
  const answer = await answerAfterAuthorization('kim', { operation: 'updateMessage', input }, () =>
    succeed('alice', 'muteChannel', { channelId: 'beds', mutePeriod: -1 }),
  );
  await succeed('alice', 'muteChannel', { channelId: 'beds', mutePeriod: 0 });
  expect(answer).toMatchObject({ code: 'CHANNEL_MUTED' });
});

test.each([
  ['becomes private', 'updateCommunity', { isPublic: false }],
  ['is deleted', 'deleteCommunity', {}],
])('rejects a comment of a visitor of a community that %s before it is written', async (_, operation, change) => {
  const { community } = await succeed('alice', 'createCommunity', { displayName: 'Open' }, 'community { communityId }');
  const { communityId } = community;
  const postId = await createPost('alice', { targetType: 'COMMUNITY', targetId: communityId });
  const write = { operation: 'createComment', lock: () => `post ${postId}` };
  const input = () => ({ referenceId: postId, data: text });
  const answer = await answerAfter('mia', { ...write, input }, () =>
    succeed('alice', operation, { communityId, ...change }),
  );
  expect(answer).toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['votePoll', 'flagPost'])(
  'rejects %s on a private feed after its owner removes the follower',
  async (name) => {
    await succeed('admin', 'updateSocialSettings', { userPrivacySetting: 'PRIVATE' });
    const onFeed = { targetType: 'USER', targetId: 'leo' };
    const postId = await createPost('leo', onFeed);
    const [pollId, yes] = await createPoll('leo', onFeed);
    await succeed('mia', 'followUser', { userId: 'leo' });
    await succeed('leo', 'acceptFollower', { userId: 'mia' });
    const write: Write =
      name === 'flagPost'
        ? { operation: name, lock: () => `post ${postId}`, input: () => ({ postId }) }
        : { operation: name, lock: () => `poll ${pollId}`, input: () => ({ pollId, answerIds: [yes] }) };
    const answer = await answerAfter('mia', write, () => succeed('leo', 'removeFollower', { userId: 'mia' }));
    await succeed('admin', 'updateSocialSettings', { userPrivacySetting: 'PUBLIC' });
    expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  },
);
