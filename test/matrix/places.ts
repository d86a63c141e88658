import { ObjectId } from 'mongodb';
import { channelRecord, channelUserRecord, messageFeedRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord, communityUserRecord, joinRequestRecord } from '../../src/sample/builders/community.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { CommunityRecord, JoinRequestRecord } from '../../src/store/records/community.ts';
import type { FollowRecord, UserRecord } from '../../src/store/records/user.ts';
import { insertIndexed } from '../support/insert-indexed.ts';
import type { Fixtures } from './fixtures.ts';

const createContext = () => createSampleContext({ networkId: 'default', now: new Date() });

/** Members of every place. `moderator` and `second` are its moderators; `banned` is banned. */
const MEMBERS = ['member', 'muted', 'author', 'moderator', 'second', 'bystander', 'highRanking'];

/** The user with this id, created if missing. */
export async function ensureUser(
  fixtures: Fixtures,
  userId: string,
  given: Partial<UserRecord> = {},
): Promise<UserRecord> {
  const { collections } = fixtures.gateway.services.store;
  const known = await collections.users.findOne({ networkId: 'default', userId });
  if (known) return known;
  const user = userRecord(createContext(), { userId, displayName: userId, ...given });
  await insertIndexed(collections, 'users', [user]);
  return user;
}

/** A follow with the counts of both users. */
export async function insertFollow(
  { gateway }: Fixtures,
  follow: Pick<FollowRecord, 'userId' | 'followedUserId' | 'status'>,
): Promise<void> {
  const { follows, users } = gateway.services.store.collections;
  const now = new Date();
  await follows.insertOne({ _id: new ObjectId(), networkId: 'default', ...follow, createdAt: now, updatedAt: now });
  const count = (id: string, $inc: Record<string, number>) =>
    users.updateOne({ networkId: 'default', userId: id }, { $inc });
  const isAccepted = follow.status === 'accepted';
  if (isAccepted) await count(follow.userId, { followingCount: 1 });
  await count(follow.followedUserId, isAccepted ? { followerCount: 1 } : { pendingCount: 1 });
}

/** A completed erasure of a user. */
export async function insertErasure({ gateway }: Fixtures, userId: string): Promise<void> {
  const now = new Date();
  await gateway.services.store.collections.userErasures.insertOne({
    _id: new ObjectId(),
    networkId: 'default',
    userId,
    content: 'keep',
    state: 'completed',
    requestedBy: 'admin',
    requestedAt: now,
    completedAt: now,
    completedSteps: [],
    names: [],
    lease: null,
    leaseEndsAt: now,
    createdAt: now,
    updatedAt: now,
  });
}

/** A new community with its chat, for cases that change its members. */
export async function createPlace(fixtures: Fixtures, given: Partial<CommunityRecord> = {}): Promise<CommunityRecord> {
  const context = createContext();
  const { collections } = fixtures.gateway.services.store;
  const communityId = fixtures.uniqueId('place');
  const channelId = `${communityId}-chat`;
  const community = communityRecord(context, {
    communityId,
    displayName: communityId,
    userId: 'author',
    channelId,
    membersCount: MEMBERS.length,
    moderatorMemberCount: 2,
    ...given,
  });
  const channel = channelRecord(context, {
    channelId,
    displayName: communityId,
    type: 'community',
    communityId,
    isPublic: community.isPublic,
    memberCount: MEMBERS.length,
  });
  const users = await Promise.all([
    ...MEMBERS.slice(0, -1).map((userId) => ensureUser(fixtures, userId)),
    ensureUser(fixtures, 'highRanking', { roles: ['super-moderator'] }),
  ]);
  const bannedMembership = {
    communityMembership: 'banned',
    isBanned: true,
    notMemberReason: 'banned',
    roles: [] as string[],
  } as const;
  const banned = await ensureUser(fixtures, 'banned');
  await insertIndexed(collections, 'communities', [community]);
  await insertIndexed(collections, 'channels', [channel]);
  await collections.messageFeeds.insertOne(messageFeedRecord(context, { channel, key: 'default', userId: 'author' }));
  const moderates = (userId: string) => ['moderator', 'second'].includes(userId);
  await collections.communityUsers.insertMany([
    ...users.map((user) => {
      const roles = moderates(user.userId) ? ['member', 'community-moderator'] : ['member'];
      return communityUserRecord(context, { community, user, roles });
    }),
    communityUserRecord(context, { community, user: banned, ...bannedMembership, roles: [] }),
  ]);
  await collections.channelUsers.insertMany([
    ...users.map((user) => {
      const roles = moderates(user.userId) ? ['member', 'channel-moderator'] : ['member'];
      return channelUserRecord(context, { channel, user, roles });
    }),
    channelUserRecord(context, { channel, user: banned, membership: 'banned', isBanned: true, roles: [] }),
  ]);
  return community;
}

/** A pending join request. */
export async function createJoinRequest(
  fixtures: Fixtures,
  userId: string,
  targetId: string,
): Promise<JoinRequestRecord> {
  const request = joinRequestRecord(createContext(), {
    joinRequestId: fixtures.uniqueId('request'),
    targetId,
    requestorId: userId,
    status: 'pending',
  });
  await ensureUser(fixtures, userId);
  await fixtures.gateway.services.store.collections.joinRequests.insertOne(request);
  return request;
}
