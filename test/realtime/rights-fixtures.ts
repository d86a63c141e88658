import { afterAll, afterEach, beforeAll } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';
import { type Watcher, watch } from '../support/watch.ts';

/** Registers the hooks that start a gateway for a test file and stop the subscriptions of each test. @returns its operations */
export function useRights() {
  let gateway: TestGateway;
  const mutate = successfulMutations(() => gateway);
  const watching: Watcher[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => {
    for (const watcher of watching.splice(0)) watcher.stop();
  });
  afterAll(() => gateway.close());

  const subscribe = async (userId: string, event: NewEvent['type'], select?: string) => {
    const watcher = await watch(gateway, userId, event, select);
    watching.push(watcher);
    return watcher;
  };

  let users = 0;
  const createUser = async () => {
    users += 1;
    const userId = `live-${users}`;
    await gateway.tokenOf(userId);
    return userId;
  };
  const createCommunity = async (by: string, userIds: string[], fields = {}): Promise<string> =>
    (
      await mutate(
        by,
        'createCommunity',
        { displayName: 'X', isPublic: false, userIds, ...fields },
        'community { communityId }',
      )
    ).community.communityId;
  const createPost = async (by: string, communityId: string | null, text = 'x'): Promise<string> => {
    const target = communityId
      ? { targetType: 'COMMUNITY', targetId: communityId }
      : { targetType: 'USER', targetId: by };
    return (await mutate(by, 'createPost', { ...target, data: { text } }, 'post { postId }')).post.postId;
  };
  const createMessage = async (by: string, channelId: string): Promise<string> =>
    (await mutate(by, 'sendMessage', { channelId, data: { text: 'x' } }, 'chatMessage { messageId }')).chatMessage
      .messageId;
  const createComment = async (by: string, postId: string): Promise<string> =>
    (
      await mutate(
        by,
        'createComment',
        { referenceType: 'POST', referenceId: postId, data: { text: 'x' } },
        'comment { commentId }',
      )
    ).comment.commentId;
  /** A poll in a post on the feed of its creator. */
  const createPoll = async (by: string): Promise<string> => {
    const poll = { question: 'X?', answers: [{ data: 'a' }, { data: 'b' }] };
    const { pollId } = (await mutate(by, 'createPoll', poll, 'poll { pollId }')).poll;
    const target = { targetType: 'USER', targetId: by };
    await mutate(by, 'createPost', { ...target, dataType: 'poll', data: { text: 'x', pollId } }, 'post { postId }');
    return pollId;
  };
  const channelOf = async (communityId: string): Promise<string> =>
    (await gateway.services.store.collections.channels.findOne({ networkId: 'default', communityId }))!.channelId;
  return {
    get gateway() {
      return gateway;
    },
    mutate,
    subscribe,
    createUser,
    createCommunity,
    createPost,
    createMessage,
    createComment,
    createPoll,
    channelOf,
  };
}

/** The same paths over every transport. */
export const overEveryTransport = (paths: string[]) => ({ socket: paths, stream: paths, rest: paths, poll: paths });

const ID = '0123456789abcdef01234567';

/** An event with this path. */
export type EventAt = (path: string) => NewEvent;
export const postEvent =
  (postId: string): EventAt =>
  (path) => ({ type: 'post.updated', path: `default/${path}`, data: { postId } });
export const messageEvent =
  (messageId: string): EventAt =>
  (path) => ({ type: 'message.updated', path: `default/${path}`, data: { messageId } });
export const feedEvent =
  (channelId: string, messageFeedId: string): EventAt =>
  (path) => ({ type: 'message-feed.updated', path: `default/${path}`, data: { channelId, messageFeedId } });
export const commentEvent =
  (commentId: string): EventAt =>
  (path) => ({ type: 'comment.updated', path: `default/${path}`, data: { commentId } });
export const pollEvent =
  (pollId: string): EventAt =>
  (path) => ({ type: 'poll.updated', path: `default/${path}`, data: { pollId } });
export const communityEvent =
  (communityId: string): EventAt =>
  (path) => ({ type: 'community.updated', path: `default/${path}`, data: { communityId } });

export const reactionEvent =
  (postId: string, userId = 'carol'): EventAt =>
  (path) => {
    const reaction = { reactionId: ID, reactionName: 'like', userId, userInternalId: ID, createdAt: new Date() };
    return { type: 'post.addReaction', path: `default/${path}`, data: { postId, reaction } };
  };
