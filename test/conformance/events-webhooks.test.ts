import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { pulled } from '../support/event-transports.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { waitFor } from '../support/live.ts';
import { mutations, type Payload } from '../support/mutate.ts';
import { shapeProblems } from '../support/shapes.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

let gateway: TestGateway;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_DELIVERY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

const make = mutations(() => gateway);

/** Expects a poll, a stream and a delivery of an event to have the same bytes, and returns its content. */
async function expectSameBytes(
  webhook: string,
  work: () => Promise<unknown>,
): Promise<{ body: Payload; text: string; headers: Record<string, string> }> {
  const input = { url: receiver.url, events: [webhook], accessToken: 'let-me-in' };
  const { endpoint } = await make('admin', 'createWebhookEndpoint', input, 'endpoint { endpointId }');
  const earlier = receiver.received.length;
  const { stream, poll } = await pulled(gateway, webhook, work);
  await waitFor(() => receiver.received.length > earlier, 15_000);
  await make('admin', 'deleteWebhookEndpoint', endpoint, 'clientMutationId');
  const received = receiver.received[earlier];
  expect(poll).toBe(stream);
  expect(received!.body).toBe(stream);
  return { body: JSON.parse(stream), text: stream, headers: received!.headers };
}

const PUSH_ARRAYS = ['posts', 'users', 'files', 'communities'];
/** Arrays of sub-records are omitted here. */
const PUSH_RULES = { arrays: PUSH_ARRAYS };

async function push(webhook: string, work: () => Promise<{ post: Payload }>) {
  let created: Payload;
  const { body, headers } = await expectSameBytes(webhook, async () => {
    const { post, code } = (await work()) as Payload;
    expect(code).toBeUndefined();
    created = post;
  });
  expect(headers.authorization).toBe('Bearer let-me-in');
  expect(Object.keys(body).sort()).toEqual(
    ['data', 'eventType', 'id', 'networkId', 'path', 'senderId', 'sentTime', 'version'].sort(),
  );
  expect(body).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    networkId: 'default',
    path: created.path,
    eventType: 'push-notification.created',
    senderId: gateway.services.instanceId,
    sentTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    version: '1',
  });
  const { data } = body;
  expect(Object.keys(data).sort()).toEqual(
    [...PUSH_ARRAYS, 'eventName', 'isBroadcast', 'targetIds', 'notify', 'title', 'body'].sort(),
  );
  checkAnswer(data, PUSH_RULES);
  expect(shapeProblems(data)).toEqual([]);
  expect(data.posts).toMatchObject([{ postId: created.postId, data: { title: expect.anything() } }]);
  for (const array of PUSH_ARRAYS) expect(data[array], array).not.toEqual([]);
  return data;
}

const mentioning = (userIds: string[]) => ({
  targetType: 'COMMUNITY',
  data: { title: 'Saturday', text: `Come, ${userIds.map((userId) => `@${userId}`).join(' and ')}` },
  mentionees: [{ type: 'USER', userIds }],
});

const attachments = [{ type: 'IMAGE', fileId: 'tomatoes-red' }];
const SELECT = 'post { postId path }';

test('push-notification/mention-post.created lists the mentioned users with access to the post', async () => {
  const data = await push('push-notification/mention-post.created', () =>
    make('bob', 'createPost', { ...mentioning(['alice', 'carol']), targetId: 'gardeners', attachments }, SELECT),
  );
  expect(data).toMatchObject({ eventName: 'mention-post.created', isBroadcast: false, notify: true });
  expect(data.targetIds.sort()).toEqual(['alice', 'carol']);
  expect(data.posts[0].children).toHaveLength(1);
  const [community] = data.communities;
  expect(data.title).toBe(community.displayName);
  expect(data.body).toMatch(/ mentioned you: Come, @alice and @carol$/);
});

test('does not notify users without access to the post', async () => {
  const pushed = async (userIds: string[], targetId: string) =>
    (
      await expectSameBytes('push-notification/mention-post.created', async () => {
        const { code } = await make('alice', 'createPost', { ...mentioning(userIds), targetId }, SELECT);
        expect(code).toBeUndefined();
      })
    ).body.data;
  // dave is banned there.
  expect(await pushed(['carol', 'dave'], 'gardeners')).toMatchObject({ targetIds: ['carol'], notify: true });
  const input = { displayName: 'Closed', isPublic: false, userIds: ['bob'] };
  const { communityId } = (await make('alice', 'createCommunity', input, 'community { communityId }')).community;
  expect(await pushed(['bob', 'carol'], communityId)).toMatchObject({ targetIds: ['bob'], notify: true });
  expect(await pushed(['carol'], communityId)).toMatchObject({ targetIds: [], notify: false });
});

test('delivers a reply as a comment event and, to subscribed endpoints, as a reply event', async () => {
  const comment = { referenceType: 'POST', referenceId: 'seedlings', data: { text: 'Yes' } };
  let commentId = '';
  // Waits for the event of this comment, so that the next one is that of the reply.
  await pulled(gateway, 'v3.comment.didCreate', async () => {
    ({ commentId } = (await make('carol', 'createComment', comment, 'comment { commentId }')).comment);
  });
  for (const name of ['didCreate', 'didReply']) {
    const { body } = await expectSameBytes(`v3.comment.${name}`, () =>
      make('bob', 'createComment', { ...comment, parentId: commentId }, 'clientMutationId'),
    );
    expect(body).toMatchObject({ event: `comment.${name}`, data: { comments: [{ parentId: commentId }] } });
  }
});

test('push-notification/post.need-reviewing lists the reviewers of the community', async () => {
  const data = await push('push-notification/post.need-reviewing', () =>
    make('grace', 'createPost', { ...mentioning(['frank']), targetId: 'orchard-keepers' }, SELECT),
  );
  expect(data).toMatchObject({ eventName: 'post.need-reviewing', isBroadcast: false, notify: true });
  const members = await gateway.services.store.collections.communityUsers
    .find({ networkId: 'default', communityId: 'orchard-keepers', roles: 'community-moderator' })
    .toArray();
  expect(data.targetIds.sort()).toEqual(members.map(({ userId }) => userId).sort());
  expect(data.body).toMatch(/ posted something that waits for review$/);
});

const DELETED_ARRAYS = ['files', 'messageFeeds', 'messages', 'users'];
const DELETED_RULES = {
  arrays: DELETED_ARRAYS,
  forms: { messageFeeds: 'webhookMessages', messages: 'messageFeeds', users: 'reducedUsers' },
  // `messages` holds the feed, whose own id is no reference.
  unresolved: ['messages>messageFeeds'],
};

test('v5.message.didDelete contains the message, its feed, its reactors, and reduced users', async () => {
  const messageId = CHAT.message('i-water');
  for (const [as, reactionName] of [
    ['alice', 'like'],
    ['carol', 'cheer'],
  ] as const) {
    const input = { referenceType: 'MESSAGE', referenceId: messageId, reactionName };
    expect((await make(as, 'addReaction', input, 'clientMutationId')).code).toBeUndefined();
  }
  const taken = { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'wow' };
  await make('frank', 'addReaction', taken, 'clientMutationId');
  await make('frank', 'removeReaction', taken, 'clientMutationId');
  const { body, headers } = await expectSameBytes('v5.message.didDelete', () =>
    make('bob', 'deleteMessage', { messageId }, 'clientMutationId'),
  );
  expect(headers.authorization).toBeUndefined();
  expect(Object.keys(body).sort()).toEqual(['data', 'event']);
  expect(body.event).toBe('message.didDelete');
  const { data } = body;
  expect(Object.keys(data).sort()).toEqual([...DELETED_ARRAYS, 'reactions'].sort());
  checkAnswer(data, DELETED_RULES);
  expect(shapeProblems(data)).toEqual([]);
  expect(data.messageFeeds).toMatchObject([{ messageId, userId: 'bob', isDeleted: true, reactionsCount: 2 }]);
  expect(data.messages).toMatchObject([{ messageFeedId: CHAT.feed, channelPublicId: 'gardeners-chat' }]);
  expect(data.reactions).toMatchObject([{ referenceId: messageId, referenceType: 'message' }]);
  const { reactors } = data.reactions[0];
  expect(reactors.map((one: Payload) => one.reactionName).sort()).toEqual(['cheer', 'like']);
  for (const reactor of reactors) {
    expect(Object.keys(reactor).sort()).toEqual(
      ['createdAt', 'reactionId', 'reactionName', 'updatedAt', 'userId', 'userInternalId', 'userPublicIdId'].sort(),
    );
  }
  const users = data.users.map(({ userId }: { userId: string }) => userId);
  expect(users).toEqual(expect.arrayContaining(['alice', 'bob', 'carol', 'frank']));
  expect(data.messageFeeds[0].latestReaction).toMatchObject({ userId: 'frank', eventName: 'remove' });
});

test('delivers the deletion of a message whose flags reach the limit', async () => {
  const channel = {
    displayName: 'Watched',
    userIds: ['bob', 'carol'],
    messageAutoDeleteEnabled: true,
    autoDeleteMessageByFlagLimit: 1,
  };
  const { channel: created, ...failed } = await make('alice', 'createChannel', channel, 'channel { channelId }');
  expect(failed.code).toBeUndefined();
  const input = { channelId: created.channelId, data: { text: 'Weeds' } };
  const { chatMessage } = await make('bob', 'sendMessage', input, 'chatMessage { messageId }');
  const { body } = await expectSameBytes('v5.message.didDelete', () =>
    make('carol', 'flagMessage', { messageId: chatMessage.messageId }, 'clientMutationId'),
  );
  checkAnswer(body.data, DELETED_RULES);
  expect(body.data.reactions).toEqual([]);
  expect(body.data.messageFeeds).toMatchObject([{ messageId: chatMessage.messageId, isDeleted: true }]);
});
