import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations } from '../support/mutate.ts';
import { type Watcher, watch } from '../support/watch.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const execute = mutations(() => gateway);
/** Executes a mutation, which must succeed. */
const mutate = async (as: string, operation: string, input: object, select = 'clientMutationId') => {
  const answer = await execute(as, operation, input, select);
  expect(answer.code, `${operation}: ${answer.message}`).toBeUndefined();
  return answer;
};
const watching: Watcher[] = [];
const subscribe = async (userId: string, event: NewEvent['type'], select?: string) => {
  const watcher = await watch(gateway, userId, event, select);
  watching.push(watcher);
  return watcher;
};
afterEach(() => {
  for (const watcher of watching.splice(0)) watcher.stop();
});

/** The same paths over every transport. */
const overEveryTransport = (paths: string[]) => ({ socket: paths, stream: paths, rest: paths, poll: paths });

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
const channelOf = async (communityId: string): Promise<string> =>
  (await gateway.services.store.collections.channels.findOne({ networkId: 'default', communityId }))!.channelId;

type EventAt = (path: string) => NewEvent;
const postEvent =
  (postId: string): EventAt =>
  (path) => ({ type: 'post.updated', path: `default/${path}`, data: { postId } });
const messageEvent =
  (messageId: string): EventAt =>
  (path) => ({ type: 'message.updated', path: `default/${path}`, data: { messageId } });
const feedEvent =
  (channelId: string, messageFeedId: string): EventAt =>
  (path) => ({ type: 'message-feed.updated', path: `default/${path}`, data: { channelId, messageFeedId } });
const commentEvent =
  (commentId: string): EventAt =>
  (path) => ({ type: 'comment.updated', path: `default/${path}`, data: { commentId } });
const communityEvent =
  (communityId: string): EventAt =>
  (path) => ({ type: 'community.updated', path: `default/${path}`, data: { communityId } });

const reactionEvent =
  (postId: string, userId = 'carol'): EventAt =>
  (path) => {
    const reaction = { reactionId: ID, reactionName: 'like', userId, userInternalId: ID, createdAt: new Date() };
    return { type: 'post.addReaction', path: `default/${path}`, data: { postId, reaction } };
  };
const ID = '0123456789abcdef01234567';

interface AccessLoss {
  /** The user who loses access and the one who keeps it; null: none does. */
  loser: string;
  keeper: string | null;
  event: EventAt;
  /** An event of the same type that both users may always see. */
  visibleEvent: EventAt;
  act(): Promise<unknown>;
}

/** A post in a private community of `keeper` that `loser` is a member of. */
const inCommunity = async (
  act: (records: { loser: string; keeper: string; communityId: string; postId: string }) => Promise<unknown>,
  fields = {},
): Promise<AccessLoss> => {
  const [loser, keeper] = [await createUser(), await createUser()];
  const communityId = await createCommunity(keeper, [loser], fields);
  const postId = await createPost(keeper, communityId);
  return {
    loser,
    keeper,
    event: postEvent(postId),
    visibleEvent: postEvent(await createPost(await createUser(), null)),
    act: () => act({ loser, keeper, communityId, postId }),
  };
};

const inChannel = async (
  act: (records: { loser: string; keeper: string; channelId: string }) => Promise<unknown>,
  fields = {},
): Promise<AccessLoss> => {
  const [loser, keeper] = [await createUser(), await createUser()];
  const create = { displayName: 'X', isPublic: false, userIds: [loser], ...fields };
  const { channelId } = (await mutate(keeper, 'createChannel', create, 'channel { channelId }')).channel;
  const conversation = await mutate(keeper, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
  return {
    loser,
    keeper,
    event: messageEvent(await createMessage(keeper, channelId)),
    visibleEvent: messageEvent(await createMessage(keeper, conversation.channel.channelId)),
    act: () => act({ loser, keeper, channelId }),
  };
};

const ACCESS_LOSSES: Array<[name: string, () => Promise<AccessLoss>]> = [
  [
    'leaving a community',
    () => inCommunity(({ loser, communityId }) => mutate(loser, 'leaveCommunity', { communityId })),
  ],
  [
    'being removed from a community',
    () =>
      inCommunity(({ loser, keeper, communityId }) =>
        mutate(keeper, 'removeCommunityMembers', { communityId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from a community',
    () =>
      inCommunity(({ loser, keeper, communityId }) =>
        mutate(keeper, 'banCommunityMembers', { communityId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from a public community',
    () =>
      inCommunity(
        ({ loser, keeper, communityId }) => mutate(keeper, 'banCommunityMembers', { communityId, userIds: [loser] }),
        { isPublic: true },
      ),
  ],
  [
    'a community becoming private',
    async () => {
      const loss = await inCommunity(
        ({ keeper, communityId }) => mutate(keeper, 'updateCommunity', { communityId, isPublic: false }),
        { isPublic: true, userIds: [] },
      );
      return { ...loss, loser: await createUser() };
    },
  ],
  [
    'the deletion of a post',
    async () => {
      const loss = await inCommunity(({ keeper, postId }) => mutate(keeper, 'deletePost', { postId }));
      return loss;
    },
  ],
  [
    'the deletion of a community',
    async () => ({
      ...(await inCommunity(({ keeper, communityId }) => mutate(keeper, 'deleteCommunity', { communityId }))),
      keeper: null,
    }),
  ],
  [
    'a post returning to review',
    async () => {
      const loss = await inCommunity(async ({ postId }) => {
        await gateway.services.store.collections.posts.updateOne(
          { networkId: 'default', postId },
          { $set: { feedType: 'reviewing' } },
        );
      });
      return loss;
    },
  ],
  [
    'blocking the author',
    async () => {
      const [loser, author] = [await createUser(), await createUser()];
      return {
        loser,
        keeper: await createUser(),
        event: postEvent(await createPost(author, null)),
        visibleEvent: postEvent(await createPost(await createUser(), null)),
        act: () => mutate(loser, 'blockUser', { userId: author }),
      };
    },
  ],
  [
    'blocking the author of a post, for its reactions',
    async () => {
      const [loser, author] = [await createUser(), await createUser()];
      return {
        loser,
        keeper: await createUser(),
        event: reactionEvent(await createPost(author, null)),
        visibleEvent: reactionEvent(await createPost(await createUser(), null)),
        act: () => mutate(loser, 'blockUser', { userId: author }),
      };
    },
  ],
  [
    'losing a network role',
    async () => {
      const [loser, owner] = [await createUser(), await createUser()];
      const role = {
        roleId: `reader-${loser}`,
        displayName: 'Reader of everything',
        rank: 1,
        permissions: ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'],
      };
      const {
        role: { roleId },
      } = await mutate('admin', 'createRole', role, 'role { roleId }');
      await mutate('admin', 'addUserRoles', { userId: loser, roleIds: [roleId] });
      return {
        loser,
        keeper: owner,
        event: postEvent(await createPost(owner, await createCommunity(owner, []))),
        visibleEvent: postEvent(await createPost(await createUser(), null)),
        act: () => mutate('admin', 'removeUserRoles', { userId: loser, roleIds: [roleId] }),
      };
    },
  ],
  [
    'a network role losing its permissions',
    async () => {
      const [loser, owner] = [await createUser(), await createUser()];
      const role = {
        roleId: `less-${loser}`,
        displayName: 'Reader of everything',
        rank: 1,
        permissions: ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'],
      };
      const {
        role: { roleId },
      } = await mutate('admin', 'createRole', role, 'role { roleId }');
      await mutate('admin', 'addUserRoles', { userId: loser, roleIds: [roleId] });
      return {
        loser,
        keeper: owner,
        event: postEvent(await createPost(owner, await createCommunity(owner, []))),
        visibleEvent: postEvent(await createPost(await createUser(), null)),
        act: () => mutate('admin', 'updateRole', { roleId, permissions: [] }),
      };
    },
  ],
  [
    'leaving a community, for its comments',
    async () => {
      const [loser, keeper] = [await createUser(), await createUser()];
      const communityId = await createCommunity(keeper, [loser]);
      const open = await createPost(keeper, null);
      return {
        loser,
        keeper,
        event: commentEvent(await createComment(keeper, await createPost(keeper, communityId))),
        visibleEvent: commentEvent(await createComment(keeper, open)),
        act: () => mutate(loser, 'leaveCommunity', { communityId }),
      };
    },
  ],
  [
    'being removed from a hidden community, for the community',
    async () => {
      const [loser, keeper] = [await createUser(), await createUser()];
      const communityId = await createCommunity(keeper, [loser], { isDiscoverable: false });
      return {
        loser,
        keeper,
        event: communityEvent(communityId),
        visibleEvent: communityEvent('gardeners'),
        act: () => mutate(keeper, 'removeCommunityMembers', { communityId, userIds: [loser] }),
      };
    },
  ],
  [
    'losing the moderator role of a community, for a post in review',
    async () => {
      const [loser, keeper, author] = [await createUser(), await createUser(), await createUser()];
      const communityId = await createCommunity(keeper, [loser, author], { needApprovalOnPostCreation: true });
      const role = { communityId, userIds: [loser], roleIds: ['community-moderator'] };
      await mutate(keeper, 'addCommunityRoles', role);
      const postId = await createPost(author, communityId);
      const { feedType } = (await gateway.services.store.collections.posts.findOne({ networkId: 'default', postId }))!;
      expect(feedType).toBe('reviewing');
      return {
        loser,
        keeper,
        event: postEvent(postId),
        visibleEvent: postEvent(await createPost(await createUser(), null)),
        act: () => mutate(keeper, 'removeCommunityRoles', role),
      };
    },
  ],
  [
    'a channel becoming private',
    async () => {
      const loss = await inChannel(
        ({ keeper, channelId }) => mutate(keeper, 'updateChannel', { channelId, isPublic: false }),
        { isPublic: true, type: 'COMMUNITY', userIds: [] },
      );
      const [loser, other] = [await createUser(), loss.keeper!];
      const conversation = await mutate(other, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
      return {
        ...loss,
        loser,
        visibleEvent: messageEvent(await createMessage(other, conversation.channel.channelId)),
      };
    },
  ],
  [
    'losing the moderator role of a channel, for a deleted feed',
    async () => {
      const [loser, keeper] = [await createUser(), await createUser()];
      const create = { displayName: 'X', isPublic: false, userIds: [loser] };
      const { channelId } = (await mutate(keeper, 'createChannel', create, 'channel { channelId }')).channel;
      const role = { channelId, userIds: [loser], role: 'channel-moderator' };
      await mutate(keeper, 'addChannelRole', role);
      const createFeed = async () =>
        (await mutate(keeper, 'createMessageFeed', { channelId, name: 'X' }, 'messageFeed { messageFeedId }'))
          .messageFeed.messageFeedId;
      const [deleted, open] = [await createFeed(), await createFeed()];
      await mutate(keeper, 'deleteMessageFeed', { messageFeedId: deleted });
      return {
        loser,
        keeper,
        event: feedEvent(channelId, deleted),
        visibleEvent: feedEvent(channelId, open),
        act: () => mutate(keeper, 'removeChannelRole', role),
      };
    },
  ],
  ['leaving a channel', () => inChannel(({ loser, channelId }) => mutate(loser, 'leaveChannel', { channelId }))],
  [
    'being removed from a channel',
    () =>
      inChannel(({ loser, keeper, channelId }) =>
        mutate(keeper, 'removeChannelMembers', { channelId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from a channel',
    () =>
      inChannel(({ loser, keeper, channelId }) => mutate(keeper, 'banChannelMembers', { channelId, userIds: [loser] })),
  ],
  [
    'the deletion of a channel',
    async () => ({
      ...(await inChannel(({ keeper, channelId }) => mutate(keeper, 'deleteChannel', { channelId }))),
      keeper: null,
    }),
  ],
  [
    'leaving a community, for the messages of its chat',
    async () => {
      const [loser, keeper] = [await createUser(), await createUser()];
      const communityId = await createCommunity(keeper, [loser]);
      const conversation = await mutate(keeper, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
      return {
        loser,
        keeper,
        event: messageEvent(await createMessage(keeper, await channelOf(communityId))),
        visibleEvent: messageEvent(await createMessage(keeper, conversation.channel.channelId)),
        act: () => mutate(loser, 'leaveCommunity', { communityId }),
      };
    },
  ],
];

describe('delivers no further event over any transport after', () => {
  test.each(ACCESS_LOSSES)('%s', async (_, prepare) => {
    const { loser, keeper, event, visibleEvent, act } = await prepare();
    const { type } = event('x');
    const losing = await subscribe(loser, type);
    const keeping = keeper === null ? null : await subscribe(keeper, type);
    await emit(gateway, [event('before')]);
    await losing.until('before');
    await act();
    await emit(gateway, [event('after')]);
    await emit(gateway, [visibleEvent('end')]);
    await losing.until('end');
    await keeping?.until('end');
    const marks = (watcher: Watcher) =>
      Object.fromEntries(
        Object.entries(watcher.paths()).map(([transport, paths]) => [
          transport,
          paths.filter((path) => ['before', 'after', 'end'].includes(path)),
        ]),
      );
    expect(marks(losing)).toEqual(overEveryTransport(['before', 'end']));
    if (keeping) expect(marks(keeping)).toEqual(overEveryTransport(['before', 'after', 'end']));
    // A new subscription has the reduced rights from the start.
    const again = await subscribe(loser, type);
    await emit(gateway, [event('later'), visibleEvent('later end')]);
    await again.until('later end');
    expect(again.paths()).toEqual(overEveryTransport(['later end']));
  });
});

describe('delivers private events only to their users', () => {
  test('a post in review to its author and the moderators', async () => {
    const [author, member, moderator] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(moderator, [author, member], { needApprovalOnPostCreation: true });
    const watchers = await Promise.all([author, member, moderator].map((userId) => subscribe(userId, 'post.created')));
    const waiting = await createPost(author, communityId, 'secret');
    await createPost(await createUser(), null, 'open');
    for (const watcher of watchers)
      await expect
        .poll(() => Object.values(watcher.paths()).every((paths) => paths.length > 0), { timeout: 10_000 })
        .toBe(true);
    const path = (await gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId: waiting,
    }))!.path.replace('default/', '');
    await watchers[0]!.until(path);
    await watchers[2]!.until(path);
    expect(Object.values(watchers[1]!.paths()).flat()).not.toContain(path);
    expect(watchers[1]!.text()).not.toContain('secret');
  });

  test('a conversation to its members', async () => {
    const [one, other, stranger] = [await createUser(), await createUser(), await createUser()];
    const { channel } = await mutate(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const open = await mutate(one, 'createConversation', { userIds: [stranger] }, 'channel { channelId }');
    const event = messageEvent(await createMessage(one, channel.channelId));
    const visibleEvent = messageEvent(await createMessage(one, open.channel.channelId));
    const [member, outsider] = [
      await subscribe(other, 'message.updated'),
      await subscribe(stranger, 'message.updated'),
    ];
    await emit(gateway, [event('a'), visibleEvent('b')]);
    await member.until('a');
    await outsider.until('b');
    expect(member.paths()).toEqual(overEveryTransport(['a']));
    expect(outsider.paths()).toEqual(overEveryTransport(['b']));
  });

  test('reactions of a blocked user on visible posts, as in lists of reactions', async () => {
    const [one, blocked] = [await createUser(), await createUser()];
    const postId = await createPost(await createUser(), null);
    await mutate(one, 'blockUser', { userId: blocked });
    const watcher = await subscribe(one, 'post.addReaction', 'reactor { userId }');
    await emit(gateway, [reactionEvent(postId, blocked)('a')]);
    await watcher.until('a');
    expect(watcher.text()).toContain(blocked);
    const reactions = `{ reactions(referenceType: POST, referenceId: "${postId}", first: 10) { edges { node { userId } } } }`;
    await mutate(blocked, 'addReaction', { referenceType: 'POST', referenceId: postId, reactionName: 'like' });
    expect(JSON.stringify(await ask(gateway, reactions, { as: one }))).toContain(blocked);
  });

  test('read positions to their user', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const [own, others] = [
      await subscribe(one, 'marker.userFeed-updated'),
      await subscribe(other, 'marker.userFeed-updated'),
    ];
    const markerEvent = (userId: string, path: string): NewEvent => ({
      type: 'marker.userFeed-updated',
      path: `default/${path}`,
      data: { userId, feedIds: [] },
    });
    await emit(gateway, [markerEvent(one, 'one'), markerEvent(other, 'other')]);
    await own.until('one');
    await others.until('other');
    expect(own.paths().socket).toEqual(['one']);
    expect(others.paths().rest).toEqual(['other']);
  });
});

describe('delivers a deletion to users who could see the record, without its content', () => {
  test('of a post', async () => {
    const [author, member, stranger] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(author, [member]);
    const postId = await createPost(author, communityId, 'deleted text');
    const path = (await gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId,
    }))!.path.replace('default/', '');
    const open = await createPost(stranger, null);
    const watcher = await subscribe(member, 'post.deleted', 'post { postId data { text } metadata tags }');
    const outsider = await subscribe(stranger, 'post.deleted');
    await mutate(author, 'deletePost', { postId });
    await watcher.until(path);
    expect(watcher.text()).not.toContain('deleted text');
    await mutate(stranger, 'deletePost', { postId: open });
    await expect
      .poll(() => Object.values(outsider.paths()).every((paths) => paths.length === 1), { timeout: 10_000 })
      .toBe(true);
    expect(Object.values(outsider.paths()).flat()).not.toContain(path);
  });

  test('of a post, without its comments and reactions', async () => {
    const [author, member] = [await createUser(), await createUser()];
    const communityId = await createCommunity(author, [member]);
    const postId = await createPost(author, communityId);
    const comment = { referenceType: 'POST', referenceId: postId, data: { text: 'deleted text' } };
    const { commentId } = (await mutate(member, 'createComment', comment, 'comment { commentId }')).comment;
    const reply = { referenceType: 'POST', referenceId: postId, parentId: commentId, data: { text: 'deleted text' } };
    await mutate(author, 'createComment', reply);
    const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'deleted reaction' };
    await mutate(member, 'addReaction', reaction);
    const { path } = (await gateway.services.store.collections.posts.findOne({ networkId: 'default', postId }))!;
    const select = `post {
      comments(first: 10, filter: { filterByParentId: false }) { edges { node { data } } }
      reactors(first: 10) { edges { node { reactionName } } }
      children(first: 10) { edges { node { postId } } }
      latestComments { data }
    }`;
    const [watcher, moderatorWatcher] = [
      await subscribe(member, 'post.deleted', select),
      await subscribe(author, 'post.deleted', select),
    ];
    await mutate(author, 'deletePost', { postId });
    await watcher.until(path.replace('default/', ''));
    await moderatorWatcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(watcher.text()).not.toContain('"deleted reaction"}');
    expect(moderatorWatcher.text()).toContain('deleted text');
    expect(moderatorWatcher.text()).toContain('"deleted reaction"}');
  });

  test('of a story, without its comments and reactions', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const communityId = await createCommunity(owner, [member]);
    const created = await mutate(
      owner,
      'createStory',
      { targetType: 'COMMUNITY', targetId: communityId, dataType: 'TEXT', data: { text: 'deleted text' } },
      'story { storyId path }',
    );
    const { storyId, path } = created.story;
    const reference = { referenceType: 'STORY', referenceId: storyId };
    await mutate(member, 'createComment', { ...reference, data: { text: 'deleted text' } });
    await mutate(member, 'addReaction', { ...reference, reactionName: 'deleted reaction' });
    const watcher = await subscribe(
      member,
      'story.deleted',
      `story {
        data { text }
        comments(first: 10) { edges { node { data } } }
        reactors(first: 10) { edges { node { reactionName } } }
      }`,
    );
    await mutate(owner, 'deleteStory', { storyId });
    await watcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(watcher.text()).not.toContain('"deleted reaction"}');
  });

  test('of a message feed, without its messages', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const create = { displayName: 'X', isPublic: false, userIds: [member] };
    const { channelId } = (await mutate(owner, 'createChannel', create, 'channel { channelId }')).channel;
    const { messageFeedId, path } = (
      await mutate(owner, 'createMessageFeed', { channelId, name: 'Aside' }, 'messageFeed { messageFeedId path }')
    ).messageFeed;
    await mutate(member, 'sendMessage', { messageFeedId, data: { text: 'deleted text' } });
    const select = `messageFeed {
      lastMessage { data }
      messagePreview { data }
      messages(first: 10) { edges { node { data } } }
      channel { messagePreview { data } }
    }`;
    const [watcher, moderatorWatcher] = [
      await subscribe(member, 'message-feed.deleted', select),
      await subscribe(owner, 'message-feed.deleted', select),
    ];
    await mutate(owner, 'deleteMessageFeed', { messageFeedId });
    await watcher.until(path.replace('default/', ''));
    await moderatorWatcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(moderatorWatcher.text()).toContain('deleted text');
  });

  test('of a message', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const { channel } = await mutate(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const input = { channelId: channel.channelId, data: { text: 'deleted text' } };
    const { chatMessage } = await mutate(one, 'sendMessage', input, 'chatMessage { messageId path }');
    const watcher = await subscribe(other, 'message.deleted', 'chatMessage { messageId data metadata tags }');
    await mutate(one, 'deleteMessage', { messageId: chatMessage.messageId });
    await watcher.until(chatMessage.path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
  });

  test('of a comment', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const postId = await createPost(one, null);
    const input = { referenceType: 'POST', referenceId: postId, data: { text: 'deleted text' } };
    const { comment } = await mutate(one, 'createComment', input, 'comment { commentId path }');
    const watcher = await subscribe(other, 'comment.deleted', 'comment { commentId data metadata }');
    await mutate(one, 'deleteComment', { commentId: comment.commentId });
    await watcher.until(comment.path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
  });

  test.each(['community', 'channel'] as const)('of a %s', async (type) => {
    const [owner, member, stranger] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(owner, [member]);
    const { communities, channels } = gateway.services.store.collections;
    const community = (await communities.findOne({ networkId: 'default', communityId }))!;
    const chat = (await channels.findOne({ networkId: 'default', communityId }))!;
    const path = (type === 'community' ? community : chat).path.replace('default/', '');
    const watcher = await subscribe(member, `${type}.deleted`);
    const outsider = await subscribe(stranger, `${type}.deleted`);
    await mutate(owner, 'deleteCommunity', { communityId });
    await watcher.until(path);
    const theirs = await createCommunity(stranger, []);
    await mutate(stranger, 'deleteCommunity', { communityId: theirs });
    await expect
      .poll(() => Object.values(outsider.paths()).every((paths) => paths.length > 0), { timeout: 10_000 })
      .toBe(true);
    expect(Object.values(outsider.paths()).flat()).not.toContain(path);
  });
});
