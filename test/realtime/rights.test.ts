import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append.ts';
import { emit } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations } from '../support/mutate.ts';
import { type Watcher, watch } from '../support/watch.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const mutate = mutations(() => gateway);
/** Carries out what must succeed. */
const make = async (as: string, operation: string, input: object, select = 'clientMutationId') => {
  const answer = await mutate(as, operation, input, select);
  expect(answer.code, `${operation}: ${answer.message}`).toBeUndefined();
  return answer;
};
const watching: Watcher[] = [];
const listen = async (userId: string, event: NewEvent['type'], select?: string) => {
  const watcher = await watch(gateway, userId, event, select);
  watching.push(watcher);
  return watcher;
};
afterEach(() => {
  for (const watcher of watching.splice(0)) watcher.stop();
});

/** The same over every door. */
const everywhere = (paths: string[]) => ({ socket: paths, stream: paths, rest: paths, poll: paths });

let made = 0;
const newUser = async () => {
  made += 1;
  const userId = `live-${made}`;
  await gateway.tokenOf(userId);
  return userId;
};
const newCommunity = async (by: string, userIds: string[], fields = {}): Promise<string> =>
  (
    await make(
      by,
      'createCommunity',
      { displayName: 'X', isPublic: false, userIds, ...fields },
      'community { communityId }',
    )
  ).community.communityId;
const newPost = async (by: string, communityId: string | null, text = 'x'): Promise<string> => {
  const target = communityId
    ? { targetType: 'COMMUNITY', targetId: communityId }
    : { targetType: 'USER', targetId: by };
  return (await make(by, 'createPost', { ...target, data: { text } }, 'post { postId }')).post.postId;
};
const newMessage = async (by: string, channelId: string): Promise<string> =>
  (await make(by, 'sendMessage', { channelId, data: { text: 'x' } }, 'chatMessage { messageId }')).chatMessage
    .messageId;
const newComment = async (by: string, postId: string): Promise<string> =>
  (
    await make(
      by,
      'createComment',
      { referenceType: 'POST', referenceId: postId, data: { text: 'x' } },
      'comment { commentId }',
    )
  ).comment.commentId;
const channelOf = async (communityId: string): Promise<string> =>
  (await gateway.services.store.collections.channels.findOne({ networkId: 'default', communityId }))!.channelId;

type About = (path: string) => NewEvent;
const aboutPost =
  (postId: string): About =>
  (path) => ({ type: 'post.updated', path: `default/${path}`, data: { postId } });
const aboutMessage =
  (messageId: string): About =>
  (path) => ({ type: 'message.updated', path: `default/${path}`, data: { messageId } });
const aboutFeed =
  (channelId: string, messageFeedId: string): About =>
  (path) => ({ type: 'message-feed.updated', path: `default/${path}`, data: { channelId, messageFeedId } });
const aboutComment =
  (commentId: string): About =>
  (path) => ({ type: 'comment.updated', path: `default/${path}`, data: { commentId } });
const aboutCommunity =
  (communityId: string): About =>
  (path) => ({ type: 'community.updated', path: `default/${path}`, data: { communityId } });

const aboutReaction =
  (postId: string, userId = 'carol'): About =>
  (path) => {
    const reaction = { reactionId: ID, reactionName: 'like', userId, userInternalId: ID, createdAt: new Date() };
    return { type: 'post.addReaction', path: `default/${path}`, data: { postId, reaction } };
  };
const ID = '0123456789abcdef01234567';

interface Situation {
  /** Who loses sight of it, and who keeps it; null: nobody does. */
  loser: string;
  keeper: string | null;
  about: About;
  /** Something of the same kind that both see all the time. */
  seen: About;
  act(): Promise<unknown>;
}

/** A private community of `keeper` with `loser` in it, and a post there. */
const inCommunity = async (
  act: (things: { loser: string; keeper: string; communityId: string; postId: string }) => Promise<unknown>,
  fields = {},
): Promise<Situation> => {
  const [loser, keeper] = [await newUser(), await newUser()];
  const communityId = await newCommunity(keeper, [loser], fields);
  const postId = await newPost(keeper, communityId);
  return {
    loser,
    keeper,
    about: aboutPost(postId),
    seen: aboutPost(await newPost(await newUser(), null)),
    act: () => act({ loser, keeper, communityId, postId }),
  };
};

const inChannel = async (
  act: (things: { loser: string; keeper: string; channelId: string }) => Promise<unknown>,
  fields = {},
): Promise<Situation> => {
  const [loser, keeper] = [await newUser(), await newUser()];
  const create = { displayName: 'X', isPublic: false, userIds: [loser], ...fields };
  const { channelId } = (await make(keeper, 'createChannel', create, 'channel { channelId }')).channel;
  const aside = await make(keeper, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
  return {
    loser,
    keeper,
    about: aboutMessage(await newMessage(keeper, channelId)),
    seen: aboutMessage(await newMessage(keeper, aside.channel.channelId)),
    act: () => act({ loser, keeper, channelId }),
  };
};

const SITUATIONS: Array<[name: string, () => Promise<Situation>]> = [
  [
    'leaving a community',
    () => inCommunity(({ loser, communityId }) => make(loser, 'leaveCommunity', { communityId })),
  ],
  [
    'being removed from it',
    () =>
      inCommunity(({ loser, keeper, communityId }) =>
        make(keeper, 'removeCommunityMembers', { communityId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from it',
    () =>
      inCommunity(({ loser, keeper, communityId }) =>
        make(keeper, 'banCommunityMembers', { communityId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from a public one',
    () =>
      inCommunity(
        ({ loser, keeper, communityId }) => make(keeper, 'banCommunityMembers', { communityId, userIds: [loser] }),
        { isPublic: true },
      ),
  ],
  [
    'a community that goes private',
    async () => {
      const situation = await inCommunity(
        ({ keeper, communityId }) => make(keeper, 'updateCommunity', { communityId, isPublic: false }),
        { isPublic: true, userIds: [] },
      );
      return { ...situation, loser: await newUser() };
    },
  ],
  [
    'the deletion of a post',
    async () => {
      const situation = await inCommunity(({ keeper, postId }) => make(keeper, 'deletePost', { postId }));
      return situation;
    },
  ],
  [
    'the deletion of the community',
    async () => ({
      ...(await inCommunity(({ keeper, communityId }) => make(keeper, 'deleteCommunity', { communityId }))),
      keeper: null,
    }),
  ],
  [
    'a post that goes into review again',
    async () => {
      const situation = await inCommunity(async ({ postId }) => {
        await gateway.services.store.collections.posts.updateOne(
          { networkId: 'default', postId },
          { $set: { feedType: 'reviewing' } },
        );
      });
      return situation;
    },
  ],
  [
    'blocking the author',
    async () => {
      const [loser, author] = [await newUser(), await newUser()];
      return {
        loser,
        keeper: await newUser(),
        about: aboutPost(await newPost(author, null)),
        seen: aboutPost(await newPost(await newUser(), null)),
        act: () => make(loser, 'blockUser', { userId: author }),
      };
    },
  ],
  [
    'blocking the author of what others react to',
    async () => {
      const [loser, author] = [await newUser(), await newUser()];
      return {
        loser,
        keeper: await newUser(),
        about: aboutReaction(await newPost(author, null)),
        seen: aboutReaction(await newPost(await newUser(), null)),
        act: () => make(loser, 'blockUser', { userId: author }),
      };
    },
  ],
  [
    'losing a role of the network',
    async () => {
      const [loser, owner] = [await newUser(), await newUser()];
      const role = {
        roleId: `seer-${loser}`,
        displayName: 'Sees everything',
        rank: 1,
        permissions: ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'],
      };
      const {
        role: { roleId },
      } = await make('admin', 'createRole', role, 'role { roleId }');
      await make('admin', 'addUserRoles', { userId: loser, roleIds: [roleId] });
      return {
        loser,
        keeper: owner,
        about: aboutPost(await newPost(owner, await newCommunity(owner, []))),
        seen: aboutPost(await newPost(await newUser(), null)),
        act: () => make('admin', 'removeUserRoles', { userId: loser, roleIds: [roleId] }),
      };
    },
  ],
  [
    'a role of the network that gives less',
    async () => {
      const [loser, owner] = [await newUser(), await newUser()];
      const role = {
        roleId: `less-${loser}`,
        displayName: 'Sees everything',
        rank: 1,
        permissions: ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'],
      };
      const {
        role: { roleId },
      } = await make('admin', 'createRole', role, 'role { roleId }');
      await make('admin', 'addUserRoles', { userId: loser, roleIds: [roleId] });
      return {
        loser,
        keeper: owner,
        about: aboutPost(await newPost(owner, await newCommunity(owner, []))),
        seen: aboutPost(await newPost(await newUser(), null)),
        act: () => make('admin', 'updateRole', { roleId, permissions: [] }),
      };
    },
  ],
  [
    'comments, when one leaves the community',
    async () => {
      const [loser, keeper] = [await newUser(), await newUser()];
      const communityId = await newCommunity(keeper, [loser]);
      const open = await newPost(keeper, null);
      return {
        loser,
        keeper,
        about: aboutComment(await newComment(keeper, await newPost(keeper, communityId))),
        seen: aboutComment(await newComment(keeper, open)),
        act: () => make(loser, 'leaveCommunity', { communityId }),
      };
    },
  ],
  [
    'the community itself, when it is hidden',
    async () => {
      const [loser, keeper] = [await newUser(), await newUser()];
      const communityId = await newCommunity(keeper, [loser], { isDiscoverable: false });
      return {
        loser,
        keeper,
        about: aboutCommunity(communityId),
        seen: aboutCommunity('gardeners'),
        act: () => make(keeper, 'removeCommunityMembers', { communityId, userIds: [loser] }),
      };
    },
  ],
  [
    'a moderator of a community who is one no longer, of a post in review',
    async () => {
      const [loser, keeper, author] = [await newUser(), await newUser(), await newUser()];
      const communityId = await newCommunity(keeper, [loser, author], { needApprovalOnPostCreation: true });
      const role = { communityId, userIds: [loser], roleIds: ['community-moderator'] };
      await make(keeper, 'addCommunityRoles', role);
      const postId = await newPost(author, communityId);
      const { feedType } = (await gateway.services.store.collections.posts.findOne({ networkId: 'default', postId }))!;
      expect(feedType).toBe('reviewing');
      return {
        loser,
        keeper,
        about: aboutPost(postId),
        seen: aboutPost(await newPost(await newUser(), null)),
        act: () => make(keeper, 'removeCommunityRoles', role),
      };
    },
  ],
  [
    'a channel that goes private',
    async () => {
      const situation = await inChannel(
        ({ keeper, channelId }) => make(keeper, 'updateChannel', { channelId, isPublic: false }),
        { isPublic: true, type: 'COMMUNITY', userIds: [] },
      );
      const [loser, other] = [await newUser(), situation.keeper!];
      const aside = await make(other, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
      return { ...situation, loser, seen: aboutMessage(await newMessage(other, aside.channel.channelId)) };
    },
  ],
  [
    'a moderator of a channel who is one no longer, of a feed that was deleted',
    async () => {
      const [loser, keeper] = [await newUser(), await newUser()];
      const create = { displayName: 'X', isPublic: false, userIds: [loser] };
      const { channelId } = (await make(keeper, 'createChannel', create, 'channel { channelId }')).channel;
      const role = { channelId, userIds: [loser], role: 'channel-moderator' };
      await make(keeper, 'addChannelRole', role);
      const newFeed = async () =>
        (await make(keeper, 'createMessageFeed', { channelId, name: 'X' }, 'messageFeed { messageFeedId }')).messageFeed
          .messageFeedId;
      const [deleted, open] = [await newFeed(), await newFeed()];
      await make(keeper, 'deleteMessageFeed', { messageFeedId: deleted });
      return {
        loser,
        keeper,
        about: aboutFeed(channelId, deleted),
        seen: aboutFeed(channelId, open),
        act: () => make(keeper, 'removeChannelRole', role),
      };
    },
  ],
  ['leaving a channel', () => inChannel(({ loser, channelId }) => make(loser, 'leaveChannel', { channelId }))],
  [
    'being removed from a channel',
    () =>
      inChannel(({ loser, keeper, channelId }) =>
        make(keeper, 'removeChannelMembers', { channelId, userIds: [loser] }),
      ),
  ],
  [
    'being banned from a channel',
    () =>
      inChannel(({ loser, keeper, channelId }) => make(keeper, 'banChannelMembers', { channelId, userIds: [loser] })),
  ],
  [
    'the deletion of a channel',
    async () => ({
      ...(await inChannel(({ keeper, channelId }) => make(keeper, 'deleteChannel', { channelId }))),
      keeper: null,
    }),
  ],
  [
    'messages of a community, when one leaves it',
    async () => {
      const [loser, keeper] = [await newUser(), await newUser()];
      const communityId = await newCommunity(keeper, [loser]);
      const aside = await make(keeper, 'createConversation', { userIds: [loser] }, 'channel { channelId }');
      return {
        loser,
        keeper,
        about: aboutMessage(await newMessage(keeper, await channelOf(communityId))),
        seen: aboutMessage(await newMessage(keeper, aside.channel.channelId)),
        act: () => make(loser, 'leaveCommunity', { communityId }),
      };
    },
  ],
];

describe('nothing is told any more, over any door, from that event on, after', () => {
  test.each(SITUATIONS)('%s', async (_, prepare) => {
    const { loser, keeper, about, seen, act } = await prepare();
    const { type } = about('x');
    const losing = await listen(loser, type);
    const keeping = keeper === null ? null : await listen(keeper, type);
    await emit(gateway, [about('before')]);
    await losing.until('before');
    await act();
    await emit(gateway, [about('after')]);
    await emit(gateway, [seen('end')]);
    await losing.until('end');
    await keeping?.until('end');
    const marks = (watcher: Watcher) =>
      Object.fromEntries(
        Object.entries(watcher.paths()).map(([door, paths]) => [
          door,
          paths.filter((path) => ['before', 'after', 'end'].includes(path)),
        ]),
      );
    expect(marks(losing)).toEqual(everywhere(['before', 'end']));
    if (keeping) expect(marks(keeping)).toEqual(everywhere(['before', 'after', 'end']));
    // Who comes back with a cursor from before is told no more than that.
    const again = await listen(loser, type);
    await emit(gateway, [about('later'), seen('later end')]);
    await again.until('later end');
    expect(again.paths()).toEqual(everywhere(['later end']));
  });
});

describe('what nobody but its own may see', () => {
  test('a post in review is for its author and for moderators', async () => {
    const [author, member, moderator] = [await newUser(), await newUser(), await newUser()];
    const communityId = await newCommunity(moderator, [author, member], { needApprovalOnPostCreation: true });
    const listening = await Promise.all([author, member, moderator].map((userId) => listen(userId, 'post.created')));
    const waiting = await newPost(author, communityId, 'secret');
    await newPost(await newUser(), null, 'open');
    for (const watcher of listening)
      await expect
        .poll(() => Object.values(watcher.paths()).every((paths) => paths.length > 0), { timeout: 10_000 })
        .toBe(true);
    const path = (await gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId: waiting,
    }))!.path.replace('default/', '');
    await listening[0]!.until(path);
    await listening[2]!.until(path);
    expect(Object.values(listening[1]!.paths()).flat()).not.toContain(path);
    expect(listening[1]!.text()).not.toContain('secret');
  });

  test('a conversation is for those in it', async () => {
    const [one, other, stranger] = [await newUser(), await newUser(), await newUser()];
    const { channel } = await make(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const open = await make(one, 'createConversation', { userIds: [stranger] }, 'channel { channelId }');
    const about = aboutMessage(await newMessage(one, channel.channelId));
    const seen = aboutMessage(await newMessage(one, open.channel.channelId));
    const [hears, hearsNot] = [await listen(other, 'message.updated'), await listen(stranger, 'message.updated')];
    await emit(gateway, [about('a'), seen('b')]);
    await hears.until('a');
    await hearsNot.until('b');
    expect(hears.paths()).toEqual(everywhere(['a']));
    expect(hearsNot.paths()).toEqual(everywhere(['b']));
  });

  test('reactions of somebody whom one blocked are told as lists show them: on what one sees', async () => {
    const [one, blocked] = [await newUser(), await newUser()];
    const postId = await newPost(await newUser(), null);
    await make(one, 'blockUser', { userId: blocked });
    const hears = await listen(one, 'post.addReaction', 'reactor { userId }');
    await emit(gateway, [aboutReaction(postId, blocked)('a')]);
    await hears.until('a');
    expect(hears.text()).toContain(blocked);
    const reactions = `{ reactions(referenceType: POST, referenceId: "${postId}", first: 10) { edges { node { userId } } } }`;
    await make(blocked, 'addReaction', { referenceType: 'POST', referenceId: postId, reactionName: 'like' });
    expect(JSON.stringify(await ask(gateway, reactions, { as: one }))).toContain(blocked);
  });

  test('positions are for their user', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const [own, others] = [
      await listen(one, 'marker.userFeed-updated'),
      await listen(other, 'marker.userFeed-updated'),
    ];
    const about = (userId: string, path: string): NewEvent => ({
      type: 'marker.userFeed-updated',
      path: `default/${path}`,
      data: { userId, feedIds: [] },
    });
    await emit(gateway, [about(one, 'one'), about(other, 'other')]);
    await own.until('one');
    await others.until('other');
    expect(own.paths().socket).toEqual(['one']);
    expect(others.paths().rest).toEqual(['other']);
  });
});

describe('a deletion is told to those who saw what was there, without what it said', () => {
  test('of a post', async () => {
    const [author, member, stranger] = [await newUser(), await newUser(), await newUser()];
    const communityId = await newCommunity(author, [member]);
    const postId = await newPost(author, communityId, 'what it said');
    const path = (await gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId,
    }))!.path.replace('default/', '');
    const open = await newPost(stranger, null);
    const heard = await listen(member, 'post.deleted', 'post { postId data { text } metadata tags }');
    const not = await listen(stranger, 'post.deleted');
    await make(author, 'deletePost', { postId });
    await heard.until(path);
    expect(heard.text()).not.toContain('what it said');
    await make(stranger, 'deletePost', { postId: open });
    await expect
      .poll(() => Object.values(not.paths()).every((paths) => paths.length === 1), { timeout: 10_000 })
      .toBe(true);
    expect(Object.values(not.paths()).flat()).not.toContain(path);
  });

  test('of a post, with neither its comments nor who reacted', async () => {
    const [author, member] = [await newUser(), await newUser()];
    const communityId = await newCommunity(author, [member]);
    const postId = await newPost(author, communityId);
    const comment = { referenceType: 'POST', referenceId: postId, data: { text: 'what it said' } };
    const { commentId } = (await make(member, 'createComment', comment, 'comment { commentId }')).comment;
    const reply = { referenceType: 'POST', referenceId: postId, parentId: commentId, data: { text: 'what it said' } };
    await make(author, 'createComment', reply);
    const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'what it got' };
    await make(member, 'addReaction', reaction);
    const { path } = (await gateway.services.store.collections.posts.findOne({ networkId: 'default', postId }))!;
    const select = `post {
      comments(first: 10, filter: { filterByParentId: false }) { edges { node { data } } }
      reactors(first: 10) { edges { node { reactionName } } }
      children(first: 10) { edges { node { postId } } }
      latestComments { data }
    }`;
    const [heard, moderating] = [
      await listen(member, 'post.deleted', select),
      await listen(author, 'post.deleted', select),
    ];
    await make(author, 'deletePost', { postId });
    await heard.until(path.replace('default/', ''));
    await moderating.until(path.replace('default/', ''));
    expect(heard.text()).not.toContain('what it said');
    expect(heard.text()).not.toContain('"what it got"}');
    expect(moderating.text()).toContain('what it said');
    expect(moderating.text()).toContain('"what it got"}');
  });

  test('of a story, with neither its comments nor who reacted', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const communityId = await newCommunity(owner, [member]);
    const made = await make(
      owner,
      'createStory',
      { targetType: 'COMMUNITY', targetId: communityId, dataType: 'TEXT', data: { text: 'what it said' } },
      'story { storyId path }',
    );
    const { storyId, path } = made.story;
    const reference = { referenceType: 'STORY', referenceId: storyId };
    await make(member, 'createComment', { ...reference, data: { text: 'what it said' } });
    await make(member, 'addReaction', { ...reference, reactionName: 'what it got' });
    const heard = await listen(
      member,
      'story.deleted',
      `story {
        data { text }
        comments(first: 10) { edges { node { data } } }
        reactors(first: 10) { edges { node { reactionName } } }
      }`,
    );
    await make(owner, 'deleteStory', { storyId });
    await heard.until(path.replace('default/', ''));
    expect(heard.text()).not.toContain('what it said');
    expect(heard.text()).not.toContain('"what it got"}');
  });

  test('of a message feed, with nothing of what it holds', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const create = { displayName: 'X', isPublic: false, userIds: [member] };
    const { channelId } = (await make(owner, 'createChannel', create, 'channel { channelId }')).channel;
    const { messageFeedId, path } = (
      await make(owner, 'createMessageFeed', { channelId, name: 'Aside' }, 'messageFeed { messageFeedId path }')
    ).messageFeed;
    await make(member, 'sendMessage', { messageFeedId, data: { text: 'what it said' } });
    const select = `messageFeed {
      lastMessage { data }
      messagePreview { data }
      messages(first: 10) { edges { node { data } } }
      channel { messagePreview { data } }
    }`;
    const [heard, moderating] = [
      await listen(member, 'message-feed.deleted', select),
      await listen(owner, 'message-feed.deleted', select),
    ];
    await make(owner, 'deleteMessageFeed', { messageFeedId });
    await heard.until(path.replace('default/', ''));
    await moderating.until(path.replace('default/', ''));
    expect(heard.text()).not.toContain('what it said');
    expect(moderating.text()).toContain('what it said');
  });

  test('of a message', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const { channel } = await make(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const input = { channelId: channel.channelId, data: { text: 'what it said' } };
    const { chatMessage } = await make(one, 'sendMessage', input, 'chatMessage { messageId path }');
    const heard = await listen(other, 'message.deleted', 'chatMessage { messageId data metadata tags }');
    await make(one, 'deleteMessage', { messageId: chatMessage.messageId });
    await heard.until(chatMessage.path.replace('default/', ''));
    expect(heard.text()).not.toContain('what it said');
  });

  test('of a comment', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const postId = await newPost(one, null);
    const input = { referenceType: 'POST', referenceId: postId, data: { text: 'what it said' } };
    const { comment } = await make(one, 'createComment', input, 'comment { commentId path }');
    const heard = await listen(other, 'comment.deleted', 'comment { commentId data metadata }');
    await make(one, 'deleteComment', { commentId: comment.commentId });
    await heard.until(comment.path.replace('default/', ''));
    expect(heard.text()).not.toContain('what it said');
  });

  test.each(['community', 'channel'] as const)('of a %s', async (noun) => {
    const [owner, member, stranger] = [await newUser(), await newUser(), await newUser()];
    const communityId = await newCommunity(owner, [member]);
    const { communities, channels } = gateway.services.store.collections;
    const community = (await communities.findOne({ networkId: 'default', communityId }))!;
    const chat = (await channels.findOne({ networkId: 'default', communityId }))!;
    const path = (noun === 'community' ? community : chat).path.replace('default/', '');
    const heard = await listen(member, `${noun}.deleted`);
    const not = await listen(stranger, `${noun}.deleted`);
    await make(owner, 'deleteCommunity', { communityId });
    await heard.until(path);
    const theirs = await newCommunity(stranger, []);
    await make(stranger, 'deleteCommunity', { communityId: theirs });
    await expect
      .poll(() => Object.values(not.paths()).every((paths) => paths.length > 0), { timeout: 10_000 })
      .toBe(true);
    expect(Object.values(not.paths()).flat()).not.toContain(path);
  });
});
