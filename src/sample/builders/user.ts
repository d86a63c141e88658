import { DEFAULT_ROLES } from '../../access/permissions.ts';
import type { FeedRecord, FeedType, RoleRecord, UserRecord } from '../../store/records/user.ts';
import type { Given, SampleContext } from '../context.ts';
import { baseRecord, permissionsOf } from './base.ts';

export function userRecord(context: SampleContext, given: Given<UserRecord, 'userId' | 'displayName'>): UserRecord {
  const { userId, roles = [] } = given;
  const base = baseRecord(context, { kind: 'user', name: userId }, given);
  return {
    ...base,
    path: `${context.networkId}/user/${base._id.toHexString()}`,
    profileHandle: userId,
    description: '',
    avatarFileId: null,
    avatarCustomUrl: null,
    roles,
    permissions: permissionsOf(roles),
    flagCount: 0,
    hashFlag: null,
    metadata: {},
    isGlobalBan: false,
    isBrand: false,
    isDeleted: false,
    feeds: feedRecords(context, { targetType: 'user', targetId: userId, createdAt: base.createdAt }),
    ...given,
  };
}

/** One empty feed per feed type, which every target has from its creation. */
export function feedRecords(
  context: SampleContext,
  target: { targetType: 'community' | 'user'; targetId: string; createdAt: Date },
): FeedRecord[] {
  const types: FeedType[] = ['published', 'reviewing', 'declined'];
  return types.map((feedType) => ({
    feedId: feedIdOf(context, { ...target, feedType }),
    feedType,
    postCount: 0,
    createdAt: target.createdAt,
    updatedAt: target.createdAt,
  }));
}

export function feedIdOf(
  context: SampleContext,
  feed: { targetType: 'community' | 'user'; targetId: string; feedType: FeedType },
): string {
  return context.hex('feed', `${feed.targetType}/${feed.targetId}/${feed.feedType}`);
}

/** The default roles of a network, see `docs/interface.md#roles`. */
export function defaultRoleRecords(context: SampleContext): RoleRecord[] {
  return DEFAULT_ROLES.map((role) => roleRecord(context, { ...role, permissions: [...role.permissions] }));
}

export function roleRecord(
  context: SampleContext,
  given: Given<RoleRecord, 'roleId' | 'displayName' | 'permissions' | 'rank'>,
): RoleRecord {
  return { ...baseRecord(context, { kind: 'role', name: given.roleId }, given), isDeleted: false, ...given };
}
