import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../store/records/chat.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { channelRecord, channelUserRecord, messageFeedRecord } from '../builders/chat.ts';
import { type SampleContext, YEAR } from '../context.ts';
import { COMMUNITY_MODERATOR } from '../derive/members.ts';

const CHANNEL_MODERATOR = 'channel-moderator';

/** The channel of each community, a conversation, a standard channel, and the chat channels of a stream and a room. */
export function sampleChannels(context: SampleContext, communities: CommunityRecord[]): ChannelRecord[] {
  const ofCommunities = communities.map((community) =>
    channelRecord(context, {
      channelId: community.channelId,
      displayName: community.displayName,
      type: 'community',
      communityId: community.communityId,
      avatarFileId: community.avatarFileId,
      isPublic: community.isPublic,
      isDeleted: community.isDeleted,
      createdAt: community.createdAt,
      updatedAt: community.updatedAt,
    }),
  );
  return [
    ...ofCommunities,
    channelRecord(context, {
      channelId: 'alice-and-bob',
      displayName: '',
      type: 'conversation',
      createdAt: context.at(400),
    }),
    channelRecord(context, {
      channelId: 'seed-exchange',
      displayName: 'Seed exchange',
      type: 'standard',
      avatarFileId: 'seed-exchange-icon',
      tags: ['seeds', 'swap'],
      metadata: { rules: 'Be nice' },
      notificationMode: 'silent',
      isMuted: true,
      muteTimeout: context.fromNow(YEAR),
      isRateLimited: true,
      rateLimit: 5,
      rateLimitWindow: 60_000,
      rateLimitTimeout: context.fromNow(YEAR),
      messageAutoDeleteEnabled: true,
      autoDeleteMessageByFlagLimit: 3,
      createdAt: context.at(410),
    }),
    channelRecord(context, {
      channelId: 'greenhouse-chat',
      displayName: 'Greenhouse tour',
      type: 'live',
      attachedTo: { postId: 'greenhouse-1', videoStreamId: 'greenhouse-tour', roomId: null },
      createdAt: context.at(160),
    }),
    channelRecord(context, {
      channelId: 'potting-bench-chat',
      displayName: 'The potting bench',
      type: 'live',
      attachedTo: { postId: 'potting-1', videoStreamId: null, roomId: 'potting-bench' },
      createdAt: context.at(170),
    }),
  ];
}

interface Known {
  users: UserRecord[];
  channels: ChannelRecord[];
  communityUsers: CommunityUserRecord[];
}

export function sampleChannelUsers(context: SampleContext, known: Known): ChannelUserRecord[] {
  const user = (userId: string): UserRecord => known.users.find((one) => one.userId === userId)!;
  const channel = (channelId: string): ChannelRecord => known.channels.find((one) => one.channelId === channelId)!;
  const ofCommunities = known.communityUsers.map((member) =>
    channelUserRecord(context, {
      channel: channel(member.channelId),
      user: user(member.userId),
      membership: member.communityMembership,
      isBanned: member.isBanned,
      roles: member.roles.map((role) => (role === COMMUNITY_MODERATOR ? CHANNEL_MODERATOR : role)),
      createdAt: member.createdAt,
      updatedAt: member.updatedAt,
    }),
  );
  const members = (channelId: string, userIds: string[]) =>
    userIds.map((userId) => channelUserRecord(context, { channel: channel(channelId), user: user(userId) }));
  const moderator = (channelId: string, userId: string) =>
    channelUserRecord(context, {
      channel: channel(channelId),
      user: user(userId),
      roles: ['member', CHANNEL_MODERATOR],
    });
  const exchange = { channel: channel('seed-exchange'), updatedAt: context.at(470) };
  return [
    ...ofCommunities,
    ...members('alice-and-bob', ['alice', 'bob']),
    moderator('seed-exchange', 'carol'),
    ...members('seed-exchange', ['alice', 'erin']),
    channelUserRecord(context, { ...exchange, user: user('kim'), isMuted: true, muteTimeout: context.fromNow(YEAR) }),
    channelUserRecord(context, {
      ...exchange,
      user: user('dave'),
      membership: 'banned',
      isBanned: true,
      roles: [],
    }),
    channelUserRecord(context, { ...exchange, user: user('oscar'), isDeleted: true, updatedAt: context.at(900) }),
    moderator('greenhouse-chat', 'alice'),
    ...members('greenhouse-chat', ['bob', 'mia']),
    moderator('potting-bench-chat', 'bob'),
    ...members('potting-bench-chat', ['alice']),
  ];
}

/** One default feed per channel; the gardeners' channel also has a second feed and a deleted one. */
export function sampleMessageFeeds(context: SampleContext, channels: ChannelRecord[]): MessageFeedRecord[] {
  const creators: { [channelId: string]: string } = {
    'gardeners-chat': 'alice',
    'orchard-keepers-chat': 'frank',
    'harvest-fair-chat': 'admin',
    'potato-club-chat': 'ivan',
    'seed-exchange': 'carol',
    'potting-bench-chat': 'bob',
  };
  const defaults = channels.map((channel) =>
    messageFeedRecord(context, {
      channel,
      key: 'default',
      userId: creators[channel.channelId] ?? 'alice',
      isDeleted: channel.isDeleted,
    }),
  );
  const channel = channels.find(({ channelId }) => channelId === 'gardeners-chat')!;
  const feed = { channel, userId: 'alice' };
  return [
    ...defaults,
    messageFeedRecord(context, {
      ...feed,
      key: 'tools',
      name: 'Tool sharing',
      createdAt: context.at(60),
      editedAt: context.at(65),
    }),
    messageFeedRecord(context, {
      ...feed,
      key: 'pests',
      name: 'Pests',
      isDeleted: true,
      createdAt: context.at(61),
      updatedAt: context.at(300),
    }),
  ];
}
