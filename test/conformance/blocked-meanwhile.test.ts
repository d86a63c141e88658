import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

/** Records that leo uses, by name. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  gateway = await openTestNetwork();
  const conversation = await succeed('kim', 'createConversation', { userIds: ['leo'] }, 'channel { channelId }');
  ids.conversation = conversation.channel.channelId;
  const sent = { channelId: ids.conversation, data: { text: 'Hi' } };
  ids.message = (await succeed('leo', 'sendMessage', sent, 'chatMessage { messageId }')).chatMessage.messageId;
  const { channel } = await succeed('leo', 'createChannel', { displayName: 'Own' }, 'channel { channelId }');
  ids.channel = channel.channelId;
  const { community } = await succeed('leo', 'createCommunity', { displayName: 'Own' }, 'community { communityId }');
  ids.community = community.communityId;
  const onFeed = { targetType: 'USER', targetId: 'kim', data: { text: 'Hi' } };
  const { post } = await succeed('kim', 'createPost', onFeed, 'post { postId }');
  const commented = { referenceId: post.postId, data: { text: 'Hi' } };
  ids.comment = (await succeed('leo', 'createComment', commented, 'comment { commentId }')).comment.commentId;
  const room = { title: 'Bench', type: 'CO_HOSTS', targetType: 'USER', targetId: 'leo' };
  ids.room = (await succeed('leo', 'createRoom', room, 'room { roomId }')).room.roomId;
  const text = { channelId: ids.channel, data: { text: 'Hi' } };
  ids.ownMessage = (await succeed('leo', 'sendMessage', text, 'chatMessage { messageId }')).chatMessage.messageId;
  const own = { targetType: 'USER', targetId: 'leo', data: { text: 'Hi' } };
  ids.ownPost = (await succeed('leo', 'createPost', own, 'post { postId }')).post.postId;
  const answer = { referenceId: ids.ownPost, data: { text: 'Hi' } };
  ids.ownComment = (await succeed('leo', 'createComment', answer, 'comment { commentId }')).comment.commentId;
  await createPollOfKim();
  await openLiveChatOfKim();
  await gateway.tokenOf('kim');
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

async function createPollOfKim(): Promise<void> {
  const input = { question: 'Which?', answers: [{ data: 'one' }, { data: 'two' }] };
  const { poll } = await succeed('kim', 'createPoll', input, 'poll { pollId answers { answerId } }');
  ids.poll = poll.pollId;
  ids.answer = poll.answers[0].answerId;
  const shown = { targetType: 'USER', targetId: 'kim', dataType: 'poll', data: { text: 'Vote', pollId: ids.poll } };
  await succeed('kim', 'createPost', shown);
}

/** The live chat of a room on kim's feed, which leo has joined. */
async function openLiveChatOfKim(): Promise<void> {
  const input = { title: 'Live', targetType: 'USER', targetId: 'kim', liveChatEnabled: true };
  const { room } = await succeed('kim', 'createRoom', input, 'room { roomId liveChannelId }');
  ids.live = room.liveChannelId;
  const shown = { targetType: 'USER', targetId: 'kim', dataType: 'room', data: { roomId: room.roomId } };
  await succeed('kim', 'createPost', shown);
  await succeed('leo', 'joinChannel', { channelId: ids.live });
}

const membersHash = (...userIds: string[]) =>
  createHash('sha256').update(JSON.stringify(userIds.sort())).digest('base64url');

interface Write {
  operation: string;
  /** Kind and name of the record for which the operation waits. */
  lock: () => string;
  input: () => object;
  /** @default FORBIDDEN */
  code?: string;
}

const WRITES: Write[] = [
  {
    operation: 'sendMessage',
    lock: () => `channel ${ids.conversation}`,
    input: () => ({ channelId: ids.conversation, data: { text: 'Late' } }),
  },
  {
    operation: 'updateMessage',
    lock: () => `channel ${ids.conversation}`,
    input: () => ({ messageId: ids.message, data: { text: 'Late' } }),
  },
  {
    operation: 'updateChannel',
    lock: () => `channel ${ids.conversation}`,
    input: () => ({ channelId: ids.conversation, displayName: 'Late' }),
  },
  {
    operation: 'addReaction',
    lock: () => `message ${ids.message}`,
    input: () => ({ referenceType: 'MESSAGE', referenceId: ids.message, reactionName: 'late' }),
  },
  {
    operation: 'updateComment',
    lock: () => `comment ${ids.comment}`,
    input: () => ({ commentId: ids.comment, data: { text: 'Late' } }),
  },
  {
    operation: 'addRoomParticipants',
    lock: () => `record ${ids.room}`,
    input: () => ({ roomId: ids.room, userIds: ['kim'] }),
  },
  {
    operation: 'addChannelMembers',
    lock: () => `channel ${ids.channel}`,
    input: () => ({ channelId: ids.channel, userIds: ['kim'] }),
  },
  {
    operation: 'addCommunityMembers',
    lock: () => `community ${ids.community}`,
    input: () => ({ communityId: ids.community, userIds: ['kim'] }),
  },
  {
    operation: 'createChannel',
    lock: () => 'channel late',
    input: () => ({ channelId: 'late', displayName: 'Late', userIds: ['kim'] }),
  },
  {
    operation: 'createConversation',
    lock: () => `channel ${membersHash('kim', 'leo', 'mia')}`,
    input: () => ({ userIds: ['kim', 'mia'] }),
  },
  {
    operation: 'votePoll',
    lock: () => `poll ${ids.poll}`,
    input: () => ({ pollId: ids.poll, answerIds: [ids.answer] }),
  },
  {
    operation: 'sendMessage',
    lock: () => `channel ${ids.live}`,
    input: () => ({ channelId: ids.live, data: { text: 'Late' } }),
  },
  {
    operation: 'sendMessage',
    lock: () => `channel ${ids.channel}`,
    input: () => ({
      channelId: ids.channel,
      data: { text: 'Late' },
      mentionedUsers: [{ type: 'USER', userIds: ['kim'] }],
    }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'updateMessage',
    lock: () => `channel ${ids.channel}`,
    input: () => ({ messageId: ids.ownMessage, mentionedUsers: [{ type: 'USER', userIds: ['kim'] }] }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'createPost',
    lock: () => 'user leo',
    input: () => ({ targetType: 'USER', targetId: 'leo', data: { text: 'Late' }, mentionees: [{ userIds: ['kim'] }] }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'updatePost',
    lock: () => `post ${ids.ownPost}`,
    input: () => ({ postId: ids.ownPost, mentionees: [{ userIds: ['kim'] }] }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'createComment',
    lock: () => `post ${ids.ownPost}`,
    input: () => ({ referenceId: ids.ownPost, data: { text: 'Late' }, mentionees: [{ userIds: ['kim'] }] }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'updateComment',
    lock: () => `comment ${ids.ownComment}`,
    input: () => ({ commentId: ids.ownComment, mentionees: [{ userIds: ['kim'] }] }),
    code: 'INVALID_PARAMETERS',
  },
  {
    operation: 'createStory',
    lock: () => 'user leo',
    input: () => ({
      targetType: 'USER',
      targetId: 'leo',
      dataType: 'TEXT',
      data: { text: 'Late' },
      mentionees: [{ userIds: ['kim'] }],
    }),
    code: 'INVALID_PARAMETERS',
  },
];

test.each(WRITES)(
  'rejects $operation between two users of whom one blocks the other before it is written',
  async ({ operation, lock, input, code = 'FORBIDDEN' }) => {
    const { store } = gateway.services;
    const [kind, id] = lock().split(' ');
    await succeed('kim', 'unblockUser', { userId: 'leo' });
    await gateway.tokenOf('leo');
    const [answer] = await whileLocked({
      store,
      key: `${kind} ${gateway.networkId} ${id}`,
      start: () => [mutate('leo', operation, input(), '__typename')],
      happens: () => succeed('kim', 'blockUser', { userId: 'leo' }),
    });
    expect(answer).toMatchObject({ code });
    await succeed('kim', 'unblockUser', { userId: 'leo' });
    expect(await mutate('leo', operation, input(), '__typename')).not.toHaveProperty('code');
  },
);
