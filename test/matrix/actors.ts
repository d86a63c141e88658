import type { Actor } from '../../src/access/matrix/row.ts';
import { channelRecord, channelUserRecord, messageFeedRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord, communityUserRecord } from '../../src/sample/builders/community.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { Collections } from '../../src/store/collections.ts';
import type { ChannelRecord } from '../../src/store/records/chat.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { insertIndexed } from '../support/insert-indexed.ts';

/** Each actor with a token is the user of that name. `bystander` is a member of each place and sends no requests. */
type ActingUser = Exclude<Actor, 'nobody' | 'foreigner'> | 'bystander';

const ACTING_USERS: {
  [Name in ActingUser]: { networkRoles: string[]; there: 'member' | 'banned' | 'moderator' | null };
} = {
  outsider: { networkRoles: [], there: null },
  member: { networkRoles: [], there: 'member' },
  muted: { networkRoles: [], there: 'member' },
  banned: { networkRoles: [], there: 'banned' },
  author: { networkRoles: [], there: 'member' },
  moderator: { networkRoles: [], there: 'moderator' },
  networkModerator: { networkRoles: ['moderator'], there: null },
  admin: { networkRoles: ['global-admin'], there: null },
  bystander: { networkRoles: [], there: 'member' },
};

/** Ids of a public and a private community with their chats, and of an open and a private channel. */
export const PLACE_IDS = {
  community: 'open-community',
  privateCommunity: 'closed-community',
  communityChannel: 'open-community-chat',
  channel: 'open-channel',
  privateChannel: 'closed-channel',
} as const;

/** Inserts the actors of the matrix and the communities and channels in which they act. */
export async function insertActors(collections: Collections, networkId: string): Promise<void> {
  const context = createSampleContext({ networkId, now: new Date() });
  const users = Object.entries(ACTING_USERS).map(([userId, { networkRoles }]) =>
    userRecord(context, { userId, displayName: userId, roles: networkRoles }),
  );
  const communities = [PLACE_IDS.community, PLACE_IDS.privateCommunity].map((communityId) =>
    communityRecord(context, {
      communityId,
      displayName: communityId,
      userId: 'moderator',
      channelId: `${communityId}-chat`,
      isPublic: communityId === PLACE_IDS.community,
      membersCount: 5,
      moderatorMemberCount: 1,
    }),
  );
  const channels = [
    ...communities.map(({ communityId, channelId }) =>
      channelRecord(context, { channelId, displayName: communityId, type: 'community', communityId, memberCount: 5 }),
    ),
    channelRecord(context, {
      channelId: PLACE_IDS.channel,
      displayName: PLACE_IDS.channel,
      type: 'standard',
      memberCount: 5,
    }),
    channelRecord(context, {
      channelId: PLACE_IDS.privateChannel,
      displayName: PLACE_IDS.privateChannel,
      type: 'private',
      memberCount: 5,
    }),
  ];
  await insertIndexed(collections, 'users', users);
  await insertIndexed(collections, 'communities', communities);
  await insertIndexed(collections, 'channels', channels);
  await collections.messageFeeds.insertMany(
    channels.map((channel) => messageFeedRecord(context, { channel, key: 'default', userId: 'moderator' })),
  );
  const present = users.filter(({ userId }) => ACTING_USERS[userId as ActingUser].there !== null);
  await collections.communityUsers.insertMany(
    communities.flatMap((community) => present.map((user) => communityMember(community, user))),
  );
  await collections.channelUsers.insertMany(
    channels.flatMap((channel) => present.map((user) => channelMember(channel, user))),
  );

  function communityMember(community: CommunityRecord, user: UserRecord) {
    const { there } = ACTING_USERS[user.userId as ActingUser];
    if (there === 'banned') {
      const gone = { communityMembership: 'banned', isBanned: true, notMemberReason: 'banned', roles: [] } as const;
      return communityUserRecord(context, { community, user, ...gone, roles: [] });
    }
    return communityUserRecord(context, { community, user, roles: rolesOf(there, 'community-moderator') });
  }

  function channelMember(channel: ChannelRecord, user: UserRecord) {
    const { there } = ACTING_USERS[user.userId as ActingUser];
    if (there === 'banned')
      return channelUserRecord(context, { channel, user, membership: 'banned', isBanned: true, roles: [] });
    const isMuted = user.userId === 'muted';
    return channelUserRecord(context, { channel, user, isMuted, roles: rolesOf(there, 'channel-moderator') });
  }
}

function rolesOf(there: 'member' | 'moderator' | null, moderator: string): string[] {
  return there === 'moderator' ? ['member', moderator] : ['member'];
}
