import type {
  CategoryRecord,
  CommunityRecord,
  CommunityUserRecord,
  JoinRequestRecord,
  PinRecord,
  PinTargetRecord,
} from '../../store/records/community.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { baseRecord } from '../builders/base.ts';
import {
  categoryRecord,
  communityRecord,
  communityUserRecord,
  joinRequestRecord,
  pinRecord,
} from '../builders/community.ts';
import type { SampleContext } from '../context.ts';
import { COMMUNITY_MODERATOR } from '../derive/members.ts';

export function sampleCategories(context: SampleContext): CategoryRecord[] {
  return [
    categoryRecord(context, {
      categoryId: 'vegetables',
      name: 'Vegetables',
      avatarFileId: 'vegetables-icon',
      metadata: { colour: 'green' },
    }),
    categoryRecord(context, {
      categoryId: 'flowers',
      name: 'Flowers',
      avatarFileId: 'flowers-icon',
      createdAt: context.at(1),
    }),
    categoryRecord(context, {
      categoryId: 'lawns',
      name: 'Lawns',
      isDeleted: true,
      createdAt: context.at(2),
      updatedAt: context.at(300),
    }),
  ];
}

/** A public community, a private one that approves posts and members, an official one and a deleted one. */
export function sampleCommunities(context: SampleContext): CommunityRecord[] {
  return [
    communityRecord(context, {
      communityId: 'gardeners',
      channelId: 'gardeners-chat',
      displayName: 'The Gardeners',
      description: 'Everything that grows, and why it sometimes does not.',
      userId: 'alice',
      avatarFileId: 'gardeners-cover',
      categoryIds: ['vegetables', 'flowers'],
      tags: ['garden', 'beginners'],
      metadata: { season: 'spring', zone: 8 },
      createdAt: context.at(30),
    }),
    communityRecord(context, {
      communityId: 'orchard-keepers',
      channelId: 'orchard-keepers-chat',
      displayName: 'Orchard Keepers',
      description: 'Old trees and those who climb them.',
      userId: 'frank',
      avatarFileId: 'orchard-cover',
      isPublic: false,
      needApprovalOnPostCreation: true,
      requiresJoinApproval: true,
      categoryIds: ['flowers'],
      notificationMode: 'subscribe',
      createdAt: context.at(40),
    }),
    communityRecord(context, {
      communityId: 'harvest-fair',
      channelId: 'harvest-fair-chat',
      displayName: 'Harvest Fair',
      description: 'Stalls, judging and cake. First weekend of October.',
      userId: 'admin',
      avatarFileId: 'harvest-cover',
      isOfficial: true,
      onlyAdminCanPost: true,
      allowCommentInStory: false,
      notificationMode: 'silent',
      type: 'event',
      createdAt: context.at(50),
    }),
    communityRecord(context, {
      communityId: 'potato-club',
      channelId: 'potato-club-chat',
      displayName: 'Potato Club',
      userId: 'ivan',
      isDeleted: true,
      isDiscoverable: false,
      createdAt: context.at(55),
      updatedAt: context.at(800),
    }),
  ];
}

const MODERATORS: { [communityId: string]: string } = {
  gardeners: 'alice',
  'orchard-keepers': 'frank',
  'harvest-fair': 'admin',
  'potato-club': 'ivan',
};

const MEMBERS: { [communityId: string]: string[] } = {
  gardeners: ['bob', 'carol', 'frank', 'grace', 'heidi', 'ivan', 'judy', 'kim', 'leo', 'mia'],
  'orchard-keepers': ['grace', 'carol'],
  'harvest-fair': ['alice', 'bob', 'heidi'],
  'potato-club': ['leo'],
};

export function sampleCommunityUsers(
  context: SampleContext,
  known: { communities: CommunityRecord[]; users: UserRecord[] },
): CommunityUserRecord[] {
  const user = (userId: string): UserRecord => known.users.find((one) => one.userId === userId)!;
  const members = known.communities.flatMap((community) => {
    const moderator = user(MODERATORS[community.communityId]!);
    return [
      communityUserRecord(context, { community, user: moderator, roles: ['member', COMMUNITY_MODERATOR] }),
      ...MEMBERS[community.communityId]!.map((userId, index) => {
        const createdAt = new Date(community.createdAt.getTime() + (index + 1) * 60_000);
        return communityUserRecord(context, { community, user: user(userId), createdAt });
      }),
    ];
  });
  const community = known.communities.find(({ communityId }) => communityId === 'gardeners')!;
  const past = { community, roles: [], createdAt: context.at(45) };
  return [
    ...members,
    communityUserRecord(context, {
      ...past,
      user: user('dave'),
      communityMembership: 'banned',
      isBanned: true,
      notMemberReason: 'banned',
      updatedAt: context.at(510),
    }),
    communityUserRecord(context, {
      ...past,
      user: user('seedshop'),
      communityMembership: 'none',
      notMemberReason: 'left',
      updatedAt: context.at(520),
    }),
  ];
}

/** Join requests in each status; only the approved user is a member. */
export function sampleJoinRequests(context: SampleContext): JoinRequestRecord[] {
  const targetId = 'orchard-keepers';
  const answered = { responderId: 'frank', respondedAt: context.at(43) };
  const asked = (requestorId: string, minute: number) => ({
    joinRequestId: `${targetId}-${requestorId}`,
    targetId,
    requestorId,
    createdAt: context.at(minute),
  });
  return [
    joinRequestRecord(context, { ...asked('carol', 41), ...answered, status: 'approved', updatedAt: context.at(43) }),
    joinRequestRecord(context, { ...asked('dave', 42), ...answered, status: 'rejected', updatedAt: context.at(43) }),
    joinRequestRecord(context, { ...asked('erin', 60), status: 'cancelled', updatedAt: context.at(70) }),
    joinRequestRecord(context, { ...asked('bob', 80), status: 'pending' }),
    joinRequestRecord(context, { ...asked('heidi', 81), status: 'pending' }),
  ];
}

export function samplePins(context: SampleContext): PinRecord[] {
  const gardeners = { targetId: 'gardeners', pinnedBy: 'alice' };
  return [
    pinRecord(context, {
      ...gardeners,
      placement: 'announcement',
      referenceId: 'seedlings',
      pinnedAt: context.at(600),
    }),
    pinRecord(context, { ...gardeners, placement: 'default', referenceId: 'tomatoes', pinnedAt: context.at(610) }),
    pinRecord(context, { ...gardeners, placement: 'default', referenceId: 'compost', pinnedAt: context.at(620) }),
    pinRecord(context, {
      targetId: 'orchard-keepers',
      pinnedBy: 'frank',
      placement: 'default',
      referenceId: 'grafting',
      pinnedAt: context.at(630),
    }),
  ];
}

/** One pin target for each target with pins, with the time of its newest pin. */
export function pinTargetsOf(context: SampleContext, pins: PinRecord[]): PinTargetRecord[] {
  const newest = new Map(pins.map((pin) => [`${pin.targetType}/${pin.targetId}`, pin]));
  return [...newest].map(([name, { targetType, targetId, pinnedAt }]) => ({
    ...baseRecord(context, { kind: 'pinTarget', name }, { createdAt: pinnedAt }),
    targetType,
    targetId,
    lastPinsUpdatedAt: pinnedAt,
  }));
}
