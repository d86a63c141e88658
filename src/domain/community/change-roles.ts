import type { ClientSession } from 'mongodb';
import { isBannedFrom, isMember, mayInCommunity } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import type { RoleRecord } from '../../store/records/user.ts';
import { permissionsOf, rankOfViewer } from '../role/rank.ts';
import { type CommunityPlace, findCommunity } from './get-community.ts';

/** The role whose holders `moderatorMemberCount` counts. */
export const COMMUNITY_MODERATOR = 'community-moderator';

/** Interface §8: 1 to 100 ids each. */
const MAX_IDS = 100;

export interface RolesInput {
  communityId: string;
  roleIds: readonly string[];
  userIds: readonly string[];
}

export interface ChangedRoles {
  community: CommunityRecord;
  /** The memberships that were named, as they are now. */
  members: CommunityUserRecord[];
}

/**
 * Gives roles to members of a community. Giving one that somebody holds already changes nothing.
 *
 * @throws {OperationError} as {@link removeCommunityRoles}, except LAST_MODERATOR
 */
export function addCommunityRoles(context: Context, input: RolesInput): Promise<ChangedRoles> {
  return changeRoles(context, input, { adds: true });
}

/**
 * Takes roles from members of a community (interface §4.1). Taking one that somebody does not hold changes nothing.
 *
 * @throws {OperationError} NOT_FOUND when the community is not to be seen, when a role does not exist, or when a user
 *   is no member; BANNED, PERMISSION_DENIED for roles the viewer may not assign or that rank above their own;
 *   LAST_MODERATOR when nobody would moderate the members that remain
 */
export function removeCommunityRoles(context: Context, input: RolesInput): Promise<ChangedRoles> {
  return changeRoles(context, input, { adds: false });
}

async function changeRoles(context: Context, input: RolesInput, { adds }: { adds: boolean }): Promise<ChangedRoles> {
  const change = { adds, roleIds: unique('roleIds', input.roleIds), userIds: unique('userIds', input.userIds) };
  const place = await findCommunity(context, input.communityId);
  if (!place) throw notFound('Community');
  await checkRights(context, place, change);
  const changed = await context.transaction((session) => writeRoles(context, session, place.community, change), {
    key: `roles ${place.community.networkId} ${place.community.communityId}`,
  });
  forget(context, changed);
  return changed;
}

interface Change {
  adds: boolean;
  roleIds: string[];
  userIds: string[];
}

async function checkRights(context: Context, { community, membership }: CommunityPlace, change: Change): Promise<void> {
  const viewer = viewerOf(context);
  if (!mayInCommunity(viewer, membership, 'ASSIGN_COMMUNITY_USER_ROLE')) {
    throw new OperationError(isBannedFrom(membership) ? 'BANNED' : 'PERMISSION_DENIED');
  }
  const [roles, members, rank] = await Promise.all([
    Promise.all(change.roleIds.map((roleId) => context.load.roles.load(roleId))),
    Promise.all(change.userIds.map((userId) => context.load.communityUsers.load([community.communityId, userId]))),
    rankOfViewer(context, isMember(membership) ? membership!.roles : []),
  ]);
  for (const role of roles) {
    // A deleted role can still be taken away, but no longer given.
    if (!role || (change.adds && role.isDeleted)) throw notFound('Role');
    if (role.rank > rank) {
      throw new OperationError('PERMISSION_DENIED', { message: 'This role ranks above your own.', path: ['roleIds'] });
    }
  }
  if (!members.every(isMember)) throw notFound('Member');
}

/** Memberships and the count of moderators change together or not at all. */
async function writeRoles(
  context: Context,
  session: ClientSession,
  community: CommunityRecord,
  change: Change,
): Promise<ChangedRoles> {
  const { communities, communityUsers } = context.store.collections;
  const { networkId, communityId } = community;
  const now = context.now();
  const here = { networkId, communityId, communityMembership: 'member' } as const;
  const members = await communityUsers.find({ ...here, userId: { $in: change.userIds } }, { session }).toArray();
  if (members.length < change.userIds.length) throw notFound('Member');

  const planned = members.map((member) => ({ member, roles: rolesAfter(member.roles, change) }));
  const changing = planned.filter(({ member, roles }) => roles.length !== member.roles.length);
  if (changing.length === 0) return { community, members };

  const known = await rolesById(
    context,
    session,
    changing.flatMap(({ roles }) => roles),
  );
  const changed = changing.map(({ member, roles }) => {
    const permissions = permissionsOf(roles.flatMap((roleId) => known.get(roleId) ?? []));
    return { ...member, roles, permissions, updatedAt: now };
  });
  await communityUsers.bulkWrite(
    changed.map(({ _id, userId, roles, permissions, updatedAt }) => ({
      updateOne: { filter: { ...here, userId, _id }, update: { $set: { roles, permissions, updatedAt } } },
    })),
    { session },
  );

  const byUser = new Map(changed.map((member) => [member.userId, member]));
  const moderators = changed.filter(isModerator).length - changing.filter(({ member }) => isModerator(member)).length;
  return {
    community: moderators === 0 ? community : await countModerators(),
    members: members.map((member) => byUser.get(member.userId) ?? member),
  };

  /** Whoever demotes needs one to stay: two that demote at once meet on this record, and one of them tries again. */
  async function countModerators(): Promise<CommunityRecord> {
    const enough = moderators < 0 ? { moderatorMemberCount: { $gt: -moderators } } : {};
    const counted = await communities.findOneAndUpdate(
      { networkId, communityId, ...enough },
      { $inc: { moderatorMemberCount: moderators }, $set: { updatedAt: now } },
      { session, returnDocument: 'after' },
    );
    if (!counted) throw new OperationError('LAST_MODERATOR');
    return counted;
  }
}

function rolesAfter(roles: readonly string[], { adds, roleIds }: Change): string[] {
  return adds ? [...new Set([...roles, ...roleIds])] : roles.filter((roleId) => !roleIds.includes(roleId));
}

async function rolesById(
  context: Context,
  session: ClientSession,
  roleIds: string[],
): Promise<Map<string, RoleRecord>> {
  const { networkId } = viewerOf(context);
  if (roleIds.length === 0) return new Map();
  const roles = await context.store.collections.roles
    .find({ networkId, roleId: { $in: [...new Set(roleIds)] }, isDeleted: false }, { session })
    .toArray();
  return new Map(roles.map((role) => [role.roleId, role]));
}

function isModerator({ roles }: Pick<CommunityUserRecord, 'roles'>): boolean {
  return roles.includes(COMMUNITY_MODERATOR);
}

/** What the request read before the change is no longer so. */
function forget(context: Context, { community, members }: ChangedRoles): void {
  const { communityId } = community;
  context.load.communities.clear(communityId).prime(communityId, community);
  for (const member of members) {
    const key = [communityId, member.userId] as const;
    context.load.communityUsers.clear(key).prime(key, member);
  }
}

function unique(name: string, ids: readonly string[]): string[] {
  if (ids.length < 1 || ids.length > MAX_IDS) {
    throw new OperationError('INVALID_PARAMETERS', { detail: [`${name}: 1 to ${MAX_IDS} ids.`], path: [name] });
  }
  return [...new Set(ids)];
}
