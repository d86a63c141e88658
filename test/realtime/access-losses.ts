import { expect } from 'vitest';
import {
  commentEvent,
  communityEvent,
  type EventAt,
  feedEvent,
  messageEvent,
  pollEvent,
  postEvent,
  reactionEvent,
  type useRights,
} from './rights-fixtures.ts';

export interface AccessLoss {
  /** The user who loses access and the one who keeps it; null: none does. */
  loser: string;
  keeper: string | null;
  event: EventAt;
  /** An event of the same type that both users may always see. */
  visibleEvent: EventAt;
  act(): Promise<unknown>;
}

/** Every way to lose access to records whose events are delivered. */
export function accessLosses(
  rights: ReturnType<typeof useRights>,
): Array<[name: string, prepare: () => Promise<AccessLoss>]> {
  const { mutate, createUser, createCommunity, createPost, createMessage, createComment, createPoll, channelOf } =
    rights;

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

  /** A post in a private community that `loser` sees by a network role. */
  const withRole = async (
    act: (records: { loser: string; roleId: string }) => Promise<unknown>,
  ): Promise<AccessLoss> => {
    const [loser, keeper] = [await createUser(), await createUser()];
    const roleId = `reader-${loser}`;
    const permissions = ['EDIT_COMMUNITY', 'EDIT_COMMUNITY_POST'];
    await mutate('admin', 'createRole', { roleId, displayName: 'Reader of everything', rank: 1, permissions });
    await mutate('admin', 'addUserRoles', { userId: loser, roleIds: [roleId] });
    return {
      loser,
      keeper,
      event: postEvent(await createPost(keeper, await createCommunity(keeper, []))),
      visibleEvent: postEvent(await createPost(await createUser(), null)),
      act: () => act({ loser, roleId }),
    };
  };

  return [
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
    ['the deletion of a post', () => inCommunity(({ keeper, postId }) => mutate(keeper, 'deletePost', { postId }))],
    [
      'the deletion of a community',
      async () => ({
        ...(await inCommunity(({ keeper, communityId }) => mutate(keeper, 'deleteCommunity', { communityId }))),
        keeper: null,
      }),
    ],
    [
      'a post returning to review',
      () =>
        inCommunity(({ postId }) =>
          rights.gateway.services.store.collections.posts.updateOne(
            { networkId: 'default', postId },
            { $set: { feedType: 'reviewing' } },
          ),
        ),
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
      'blocking the author of a post, for its poll',
      async () => {
        const [loser, author] = [await createUser(), await createUser()];
        return {
          loser,
          keeper: await createUser(),
          event: pollEvent(await createPoll(author)),
          visibleEvent: pollEvent(await createPoll(await createUser())),
          act: () => mutate(loser, 'blockUser', { userId: author }),
        };
      },
    ],
    [
      'losing a network role',
      () => withRole(({ loser, roleId }) => mutate('admin', 'removeUserRoles', { userId: loser, roleIds: [roleId] })),
    ],
    [
      'a network role losing its permissions',
      () => withRole(({ roleId }) => mutate('admin', 'updateRole', { roleId, permissions: [] })),
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
        const { feedType } = (await rights.gateway.services.store.collections.posts.findOne({
          networkId: 'default',
          postId,
        }))!;
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
        inChannel(({ loser, keeper, channelId }) =>
          mutate(keeper, 'banChannelMembers', { channelId, userIds: [loser] }),
        ),
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
}
