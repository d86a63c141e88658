import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { z } from 'zod';
import { canAssignChannelRoles } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { text, userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfViewer } from '../../role/rank.ts';
import { permissionsByRole } from '../../role/roles-in-transaction.ts';
import { type ChannelUsersEventName, channelUsersEvents } from '../channel-events.ts';
import { channelIdInput } from '../channel-input.ts';
import { findChannel } from '../get-channel.ts';
import { refusal } from '../moderation/refusal.ts';
import { actsOnMembers } from './acts-on-members.ts';
import { requireChannelRight } from './require-channel-right.ts';

export const channelRoleInput = channelIdInput.extend({
  role: text({ max: 100 }).describe('Public id of the role.'),
  userIds: userIds().describe('Public ids of the members.'),
});
export type RoleChange = z.input<typeof channelRoleInput>;

export interface ChangedRoles {
  channel: ChannelRecord;
  /** The named members, in the order of the input. */
  channelUsers: ChannelUserRecord[];
}

/**
 * Adds a role to members of a channel. Members who hold it already are left unchanged.
 * @throws {OperationError} NOT_FOUND for an unknown channel, role or member; BANNED; PERMISSION_DENIED without
 *   ASSIGN_CHANNEL_USER_ROLE or for a role above the viewer's rank; INVALID_PARAMETERS for bounds
 */
export function addChannelRole(context: Context, change: RoleChange): Promise<ChangedRoles> {
  const { role } = change;
  return changeRoles(context, change, {
    event: 'channel.roleAdded',
    next: (roles) => (roles.includes(role) ? roles : [...roles, role]),
  });
}

/**
 * Removes a role from members of a channel. Members without it are left unchanged.
 * @throws {OperationError} as {@link addChannelRole}
 */
export function removeChannelRole(context: Context, change: RoleChange): Promise<ChangedRoles> {
  return changeRoles(context, change, {
    event: 'channel.roleRemoved',
    next: (roles) => (roles.includes(change.role) ? roles.filter((role) => role !== change.role) : roles),
  });
}

async function changeRoles(
  context: Context,
  change: RoleChange,
  step: Pick<Application, 'event' | 'next'>,
): Promise<ChangedRoles> {
  validate(channelRoleInput, change);
  const place = await findChannel(context, change.channelId);
  if (!place) throw notFound('Channel');
  const { membership } = place;
  if (!canAssignChannelRoles(viewerOf(context), membership)) throw refusal(membership);
  await requireRankOfRole(context, membership, change.role);
  const userIds = [...new Set(change.userIds)];
  const channelUsers = await context.transaction(
    (session) => apply(context, session, { ...step, place, userIds, roleId: change.role }),
    lockFor(context, 'channel', place.channel.channelId),
  );
  for (const userId of userIds) context.load.channelUsers.clear([place.channel.channelId, userId]);
  return { channel: place.channel, channelUsers };
}

async function requireRankOfRole(
  context: Context,
  membership: ChannelUserRecord | null,
  roleId: string,
): Promise<void> {
  const [role, rank] = await Promise.all([
    context.load.roles.load(roleId),
    rankOfViewer(context, membership?.membership === 'member' ? membership.roles : []),
  ]);
  if (!role || role.isDeleted) throw notFound('Role');
  if (role.rank > rank)
    throw new OperationError('PERMISSION_DENIED', { message: 'The rank of this role exceeds your own.' });
}

interface Application {
  place: ChannelPlace;
  roleId: string;
  userIds: string[];
  /** The event to append. */
  event: ChannelUsersEventName;
  /** The roles of a member afterwards; returns the same array to leave them unchanged. */
  next: (roles: string[]) => string[];
}

/** Reads the members in the transaction that changes them, so that of two concurrent changes the later one retries. */
async function apply(
  context: Context,
  session: ClientSession,
  { place, roleId, userIds, event, next }: Application,
): Promise<ChannelUserRecord[]> {
  const { networkId, channelId } = place.channel;
  const { channelUsers } = context.store.collections;
  const { viewer, membership } = await requireChannelRight(context, session, place, canAssignChannelRoles);
  await requireRankOfRole({ ...context, viewer }, membership, roleId);
  const filter = { networkId, channelId, userId: { $in: userIds }, membership: 'member' as const, isDeleted: false };
  const members = new Map(
    (await channelUsers.find(filter, { session }).toArray()).map((member) => [member.userId, member]),
  );
  if (members.size < userIds.length) throw notFound('Channel user');
  const wanted = [...members.values()]
    .map((member) => ({ member, roleIds: next(member.roles) }))
    .filter(({ member, roleIds }) => roleIds !== member.roles);
  if (wanted.length > 0) {
    const roleIds = wanted.flatMap((one) => one.roleIds);
    const permissionsOf = await permissionsByRole(context, session, networkId, roleIds);
    const updatedAt = context.now();
    const writes = wanted.map((one): AnyBulkWriteOperation<ChannelUserRecord> => {
      const changed = { roles: one.roleIds, permissions: permissionsOf(one.roleIds), updatedAt };
      members.set(one.member.userId, { ...one.member, ...changed });
      const { userId, _id } = one.member;
      return { updateOne: { filter: { networkId, channelId, userId, _id }, update: { $set: changed } } };
    });
    await channelUsers.bulkWrite(writes, { session });
    const changedIds = wanted.map(({ member }) => member.userId);
    await recordAudit(context, session, actsOnMembers(place.channel, changedIds, { details: { roleId } }));
    await appendEvents(context, session, channelUsersEvents(event, place.channel, changedIds));
  }
  return userIds.map((userId) => members.get(userId)!);
}
