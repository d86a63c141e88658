import type { ClientSession } from 'mongodb';
import type { z } from 'zod';
import { canAssignCommunityRoles, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { syncChannelModerators } from '../../channel/community-chat/sync-members.ts';
import { ids, userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles, rankOfViewer } from '../../role/rank.ts';
import { permissionsByRole } from '../../role/roles-in-transaction.ts';
import { viewerInTransaction } from '../../user/roles/require-right.ts';
import { communityUsersEvents } from '../community-events.ts';
import { communityIdInput } from '../community-fields.ts';
import { requireCommunity } from '../require-community.ts';

/** Members with this role are counted in `moderatorMemberCount`. */
export const COMMUNITY_MODERATOR = 'community-moderator';

/** Bounds as in `docs/interface.md#community-roles`. */
export const communityRolesInput = communityIdInput.extend({
  roleIds: ids({ min: 1, max: 100, length: 100 }).describe('Public ids of the roles.'),
  userIds: userIds().describe('Public ids of the members.'),
});

export type RolesInput = z.input<typeof communityRolesInput>;

export interface ChangedRoles {
  community: CommunityRecord;
  /** The named memberships after the change. */
  members: CommunityUserRecord[];
}

/**
 * Adds roles to members of a community. Roles that a member holds already are left unchanged.
 *
 * @throws {OperationError} as {@link removeCommunityRoles}, except LAST_MODERATOR
 */
export function addCommunityRoles(context: Context, input: RolesInput): Promise<ChangedRoles> {
  return changeRoles(context, input, { adds: true });
}

/**
 * Removes roles from members of a community. Roles that a member does not hold are ignored.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the community, a role does not exist, or a user is no
 *   member; BANNED; PERMISSION_DENIED for roles the viewer may not assign, and for roles or users above their rank;
 *   LAST_MODERATOR when the remaining members would have no moderator
 */
export function removeCommunityRoles(context: Context, input: RolesInput): Promise<ChangedRoles> {
  return changeRoles(context, input, { adds: false });
}

async function changeRoles(context: Context, input: RolesInput, { adds }: { adds: boolean }): Promise<ChangedRoles> {
  const { communityId, ...ids } = validate(communityRolesInput, input);
  const { community, membership } = await requireCommunity(context, communityId, canAssignCommunityRoles);
  const users = await Promise.all(ids.userIds.map((userId) => context.load.users.load(userId)));
  const rolesInNetwork = new Map(users.filter((user) => user !== null).map((user) => [user.userId, user.roles]));
  const change: Change = { adds, ...ids, rolesInNetwork };
  await requireAssignableRoles(context, membership, change);
  const changed = await context.transaction(
    (session) => writeRoles(context, session, community, change),
    lockFor(context, 'community', communityId),
  );
  cacheChanged(context, changed);
  return changed;
}

interface Change {
  adds: boolean;
  roleIds: string[];
  userIds: string[];
  /** Role ids by user. */
  rolesInNetwork: ReadonlyMap<string, readonly string[]>;
}

/** Members whose roles change must not rank above the viewer, by their roles in the community or in the network. */
async function requireRankedBelow(
  context: Context,
  own: CommunityUserRecord | null,
  { members, rolesInNetwork }: Pick<Change, 'rolesInNetwork'> & { members: readonly CommunityUserRecord[] },
): Promise<void> {
  const rankOf = await rankOfRoles(context);
  const rank = rankOf([...viewerOf(context).roles, ...(isMember(own) ? own!.roles : [])]);
  if (members.every(({ userId, roles }) => rankOf([...roles, ...(rolesInNetwork.get(userId) ?? [])]) <= rank)) return;
  throw new OperationError('PERMISSION_DENIED', { message: 'Some users rank higher than you.', path: ['userIds'] });
}

async function requireAssignableRoles(
  context: Context,
  membership: CommunityUserRecord | null,
  change: Change,
): Promise<void> {
  const [roles, rank] = await Promise.all([
    Promise.all(change.roleIds.map((roleId) => context.load.roles.load(roleId))),
    rankOfViewer(context, isMember(membership) ? membership!.roles : []),
  ]);
  for (const role of roles) {
    // Deleted roles can be removed, but not added.
    if (!role || (change.adds && role.isDeleted)) throw notFound('Role');
    if (role.rank > rank) {
      throw new OperationError('PERMISSION_DENIED', {
        message: 'The rank of this role exceeds your own.',
        path: ['roleIds'],
      });
    }
  }
}

/** Updates the memberships and the moderator count together. */
async function writeRoles(
  context: Context,
  session: ClientSession,
  community: CommunityRecord,
  change: Change,
): Promise<ChangedRoles> {
  const { communities, communityUsers } = context.store.collections;
  const { networkId, communityId } = community;
  const { userId: viewerId } = viewerOf(context);
  const now = context.now();
  const here = { networkId, communityId, communityMembership: 'member' } as const;
  const wanted = { ...here, userId: { $in: [...change.userIds, viewerId] } };
  const present = await communityUsers.find(wanted, { session }).toArray();
  const members = present.filter(({ userId }) => change.userIds.includes(userId));
  if (members.length < change.userIds.length) throw notFound('Member');

  const planned = members.map((member) => ({ member, roles: rolesAfter(member.roles, change) }));
  const changing = planned.filter(({ member, roles }) => roles.length !== member.roles.length);
  if (changing.length === 0) return { community, members };

  const own = present.find(({ userId }) => userId === viewerId) ?? null;
  const held = [...changing.flatMap(({ roles }) => roles), ...(own?.roles ?? [])];
  const permissionsOf = await permissionsByRole(context, session, networkId, held);
  const current = own && { ...own, permissions: permissionsOf(own.roles) };
  // The viewer may have lost the permission and rank since the request was authorized.
  const isByNetworkRole = canAssignCommunityRoles(viewerOf(context), null);
  const viewer = isByNetworkRole ? await viewerInTransaction(context, session) : viewerOf(context);
  if (!canAssignCommunityRoles(viewer, current)) throw new OperationError('PERMISSION_DENIED');
  await requireAssignableRoles({ ...context, viewer }, own, change);
  await requireRankedBelow({ ...context, viewer }, own, { members, rolesInNetwork: change.rolesInNetwork });

  const changed = changing.map(({ member, roles }) => ({
    ...member,
    roles,
    permissions: permissionsOf(roles),
    updatedAt: now,
  }));
  await communityUsers.bulkWrite(
    changed.map(({ _id, userId, roles, permissions, updatedAt }) => ({
      updateOne: { filter: { ...here, userId, _id }, update: { $set: { roles, permissions, updatedAt } } },
    })),
    { session },
  );

  const byUser = new Map(changed.map((member) => [member.userId, member]));
  const moderators = changed.filter(isModerator).length - changing.filter(({ member }) => isModerator(member)).length;
  const counted = await countModerators();
  const inChat = change.roleIds.includes(COMMUNITY_MODERATOR)
    ? await syncChannelModerators(context, session, community, { members: changed, now })
    : [];
  const type = change.adds ? 'community.roleAdded' : 'community.roleRemoved';
  const changedIds = changed.map(({ userId }) => userId);
  const details = { roleIds: change.roleIds };
  await recordAudit(
    context,
    session,
    changedIds.map((userId) => ({
      subjectType: 'user',
      subjectId: userId,
      affectedUserId: userId,
      communityId,
      details,
    })),
  );
  await appendEvents(context, session, [...communityUsersEvents(type, counted, changedIds), ...inChat]);
  return { community: counted, members: members.map((member) => byUser.get(member.userId) ?? member) };

  /**
   * Updates the count; removing the last moderator is rejected. Every change writes this record, so that of two
   * concurrent changes the later one retries and checks permissions again.
   */
  async function countModerators(): Promise<CommunityRecord> {
    const enough = moderators < 0 ? { moderatorMemberCount: { $gt: -moderators } } : {};
    const written = await communities.findOneAndUpdate(
      { networkId, communityId, isDeleted: false, ...enough },
      { $inc: { moderatorMemberCount: moderators }, $set: { updatedAt: now } },
      { session, returnDocument: 'after' },
    );
    if (!written) throw new OperationError('LAST_MODERATOR');
    return written;
  }
}

function rolesAfter(roles: readonly string[], { adds, roleIds }: Change): string[] {
  return adds ? [...new Set([...roles, ...roleIds])] : roles.filter((roleId) => !roleIds.includes(roleId));
}

function isModerator({ roles }: Pick<CommunityUserRecord, 'roles'>): boolean {
  return roles.includes(COMMUNITY_MODERATOR);
}

/** Updates the community and its members in the loaders of the request. */
function cacheChanged(context: Context, { community, members }: ChangedRoles): void {
  const { communityId } = community;
  context.load.communities.clear(communityId).prime(communityId, community);
  for (const member of members) {
    const key = [communityId, member.userId] as const;
    context.load.communityUsers.clear(key).prime(key, member);
  }
}
