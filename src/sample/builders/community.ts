import type {
  CategoryRecord,
  CommunityRecord,
  CommunityUserRecord,
  JoinRequestRecord,
  PinRecord,
} from '../../store/records/community.ts';
import type { UserRecord } from '../../store/records/user.ts';
import type { Given, SampleContext } from '../context.ts';
import { baseRecord, permissionsOf } from './base.ts';
import { feedRecords } from './user.ts';

export function communityRecord(
  context: SampleContext,
  given: Given<CommunityRecord, 'communityId' | 'displayName' | 'userId' | 'channelId'>,
): CommunityRecord {
  const { communityId } = given;
  const base = baseRecord(context, { kind: 'community', name: communityId }, given);
  return {
    ...base,
    path: `${context.networkId}/social/community/${base._id.toHexString()}`,
    userInternalId: context.hex('user', given.userId),
    avatarFileId: null,
    description: '',
    isOfficial: false,
    isPublic: true,
    onlyAdminCanPost: false,
    isDeleted: false,
    hasFlaggedComment: false,
    hasFlaggedPost: false,
    needApprovalOnPostCreation: false,
    allowCommentInStory: true,
    isDiscoverable: true,
    requiresJoinApproval: false,
    tags: [],
    categoryIds: [],
    metadata: {},
    postsCount: 0,
    membersCount: 0,
    moderatorMemberCount: 0,
    notificationMode: 'default',
    type: 'default',
    feeds: feedRecords(context, { targetType: 'community', targetId: communityId, createdAt: base.createdAt }),
    ...given,
  };
}

export interface CommunityMember extends Partial<CommunityUserRecord> {
  community: Pick<CommunityRecord, 'communityId' | 'channelId' | 'createdAt'>;
  user: Pick<UserRecord, 'userId' | 'displayName'>;
}

export function communityUserRecord(context: SampleContext, member: CommunityMember): CommunityUserRecord {
  const { community, user, ...given } = member;
  const roles = given.roles ?? ['member'];
  const base = baseRecord(
    context,
    { kind: 'communityUser', name: `${community.communityId}/${user.userId}` },
    { createdAt: community.createdAt, ...given },
  );
  return {
    ...base,
    communityId: community.communityId,
    userId: user.userId,
    userInternalId: context.hex('user', user.userId),
    channelId: community.channelId,
    displayName: user.displayName,
    communityMembership: 'member',
    isBanned: false,
    notMemberReason: null,
    roles,
    permissions: permissionsOf(roles),
    lastActivity: base.updatedAt,
    lastJoin: base.createdAt,
    ...given,
  };
}

export function categoryRecord(
  context: SampleContext,
  given: Given<CategoryRecord, 'categoryId' | 'name'>,
): CategoryRecord {
  const base = baseRecord(context, { kind: 'category', name: given.categoryId }, given);
  return { ...base, avatarFileId: null, metadata: {}, isDeleted: false, ...given };
}

export function joinRequestRecord(
  context: SampleContext,
  given: Given<JoinRequestRecord, 'joinRequestId' | 'targetId' | 'requestorId' | 'status'>,
): JoinRequestRecord {
  return {
    ...baseRecord(context, { kind: 'joinRequest', name: given.joinRequestId }, given),
    targetType: 'community',
    type: 'communityJoinRequest',
    requestorInternalId: context.hex('user', given.requestorId),
    responderId: null,
    responderInternalId: given.responderId ? context.hex('user', given.responderId) : null,
    respondedAt: null,
    ...given,
  };
}

export function pinRecord(
  context: SampleContext,
  given: Given<PinRecord, 'targetId' | 'placement' | 'referenceId' | 'pinnedBy' | 'pinnedAt'>,
): PinRecord {
  const name = `${given.targetId}/${given.placement}/${given.referenceId}`;
  return {
    ...baseRecord(context, { kind: 'pin', name }, { createdAt: given.pinnedAt, ...given }),
    targetType: 'community',
    referenceType: 'post',
    ...given,
  };
}
