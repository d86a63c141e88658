import type { ClientSession } from 'mongodb';
import type { z } from 'zod';
import { canAssignUserRoles } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { ids, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { networkOfServerKey } from '../../network/find-network.ts';
import { highestRank, permissionsOf } from '../../role/rank.ts';
import { rolesInTransaction } from '../../role/roles-in-transaction.ts';
import { updateSessions } from '../../session/end-sessions.ts';
import { findOrCreateUser } from '../find-or-create-user.ts';
import { requireUser } from '../require-user.ts';
import { userEvent } from '../user-events.ts';
import { userIdInput } from '../user-id-input.ts';
import { requireNetworkRight } from './require-network-right.ts';

export const userRolesInput = userIdInput.extend({
  roleIds: ids({ min: 1, max: 100, length: 100 }).describe('Public ids of the roles.'),
});
export type UserRolesInput = z.input<typeof userRolesInput>;

/**
 * Adds network roles to a user and their sessions. Roles they hold already are left unchanged.
 * @throws {OperationError} NOT_FOUND for the user or a role; PERMISSION_DENIED, also for a role or user above the
 *   viewer's rank
 */
export function addUserRoles(context: Context, input: UserRolesInput): Promise<UserRecord> {
  return change(context, input, true);
}

/** Removes network roles from a user. @throws {OperationError} as {@link addUserRoles} */
export function removeUserRoles(context: Context, input: UserRolesInput): Promise<UserRecord> {
  return change(context, input, false);
}

/**
 * Adds network roles, authorized by the server key instead of a session. Assigns the first administrator of a network.
 * @throws {OperationError} UNAUTHORIZED without the key, NOT_FOUND for the user or a role
 */
export async function assignNetworkRoles(context: Context, input: UserRolesInput): Promise<UserRecord> {
  const wanted = validate(userRolesInput, input);
  const { networkId } = await networkOfServerKey(context);
  return context.transaction(
    (session) => write(context, session, { ...wanted, networkId, adds: true, actorKind: 'serverKey' }),
    {
      key: `user ${networkId} ${wanted.userId}`,
    },
  );
}

/**
 * Changes network roles for the operator of the gateway, who needs no session. An unknown user is created when a role is
 * added.
 *
 * @throws {OperationError} NOT_FOUND for the user or a role, INVALID_PARAMETERS
 */
export async function changeRolesAsOperator(
  context: Context,
  { networkId, adds, ...input }: UserRolesInput & { networkId: string; adds: boolean },
): Promise<UserRecord> {
  const wanted = validate(userRolesInput, input);
  const { userId } = wanted;
  return context.transaction(
    async (session) => {
      const found = await findOrCreateUser(context, session, {
        networkId,
        userId,
        displayName: userId,
        createsUnknown: adds,
      });
      const changed = await write(context, session, { ...wanted, networkId, adds });
      if (found?.isNew) await appendEvents(context, session, [userEvent('user.created', found.user)]);
      return changed;
    },
    { key: `user ${networkId} ${userId}` },
  );
}

async function change(context: Context, input: UserRolesInput, adds: boolean): Promise<UserRecord> {
  const { networkId } = viewerOf(context);
  const wanted = validate(userRolesInput, input);
  await requireUser(context, wanted.userId, canAssignUserRoles);
  const changed = await context.transaction(
    async (session) => {
      const { rank } = await requireNetworkRight(context, session, canAssignUserRoles);
      return write(context, session, { ...wanted, networkId, adds, rank });
    },
    lockFor(context, 'user', wanted.userId),
  );
  context.load.users.clear(wanted.userId);
  return changed;
}

interface Change {
  networkId: string;
  userId: string;
  roleIds: string[];
  adds: boolean;
  /** Who acts. @default the viewer */
  actorKind?: 'serverKey';
  /** Roles and users above this rank are rejected. @default no limit */
  rank?: number;
}

async function write(
  context: Context,
  session: ClientSession,
  { networkId, userId, roleIds, adds, actorKind, rank = Number.POSITIVE_INFINITY }: Change,
): Promise<UserRecord> {
  const { users } = context.store.collections;
  const user = await users.findOne({ networkId, userId, isDeleted: false }, { session });
  const known = await rolesInTransaction(context, session, networkId, [...roleIds, ...(user?.roles ?? [])]);
  const named = known.filter(({ roleId }) => roleIds.includes(roleId));
  // Deleted roles can be removed, but not added.
  if (named.filter((role) => !adds || !role.isDeleted).length < roleIds.length) throw notFound('Role');
  if (highestRank(named) > rank) {
    throw new OperationError('PERMISSION_DENIED', {
      message: 'The rank of this role exceeds your own.',
      path: ['roleIds'],
    });
  }
  if (!user) throw notFound('User');
  const live = known.filter((role) => !role.isDeleted);
  if (highestRank(live.filter(({ roleId }) => user.roles.includes(roleId))) > rank) {
    throw new OperationError('PERMISSION_DENIED', { message: 'This user ranks higher than you.', path: ['userId'] });
  }
  const after = adds
    ? [...new Set([...user.roles, ...roleIds])]
    : user.roles.filter((roleId) => !roleIds.includes(roleId));
  const permissions = permissionsOf(live.filter(({ roleId }) => after.includes(roleId)));
  const changed = await users.findOneAndUpdate(
    { networkId, userId, isDeleted: false },
    { $set: { roles: after, permissions, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  await updateSessions(context, session, changed!);
  if (after.length !== user.roles.length) {
    const act = { subjectType: 'user', subjectId: userId, affectedUserId: userId, details: { roleIds } } as const;
    await recordAudit(context, session, [act], { networkId, ...(actorKind && { actorKind }) });
    await appendEvents(context, session, [userEvent('user.updated', user)]);
  }
  return changed!;
}
