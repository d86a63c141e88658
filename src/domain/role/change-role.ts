import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { PERMISSIONS } from '../../access/permissions.ts';
import { canCreateRole, canDeleteRole, canEditRole, canSeeRole, excessOf, isDefaultRole } from '../../access/role.ts';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { RoleRecord } from '../../store/records/user.ts';
import { type Act, recordAudit } from '../audit/record-audit.ts';
import { id, integer, omitUndefined, text, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { idTakenError } from '../taken-id.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { roleEvent } from './role-events.ts';

/** Its permissions and rank cannot change, so that a network always has a role that can restore all others. */
const ADMIN_ROLE = 'global-admin';

/** Maximum roles of a network, with deleted ones: every process caches all of them. */
const MAX_ROLES = 1_000;

const fields = {
  displayName: text({ max: 100 }).describe('Display name.'),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .transform((given) => [...new Set(given)])
    .describe('Permissions of users who hold the role; only permissions that the viewer holds.'),
  rank: integer({ min: 0, max: 100 }).describe('Rank, at most the rank of the viewer.'),
};
export const createRoleInput = z.object({
  roleId: id(100)
    .regex(/^\S+$/, 'must not contain white space')
    .describe('Public id, 1 to 100 characters without white space.'),
  ...fields,
});
export const deleteRoleInput = z.object({ roleId: id(100).describe('Public id of the role.') });
export const updateRoleInput = deleteRoleInput.extend({
  displayName: withoutNull(fields.displayName),
  permissions: withoutNull(fields.permissions),
  rank: withoutNull(fields.rank),
});

export type CreateRoleInput = Omit<z.input<typeof createRoleInput>, 'permissions'> & { permissions: string[] };
export type UpdateRoleInput = Omit<z.input<typeof updateRoleInput>, 'permissions'> & {
  permissions?: string[] | null | undefined;
};

/**
 * Creates a role. Its rank and permissions cannot exceed the viewer's own in the network.
 * @throws {OperationError} INVALID_PARAMETERS, also for the id of a deleted role that the viewer does not see;
 *   PERMISSION_DENIED; DUPLICATE for any other existing id
 */
export async function createRole(context: Context, input: CreateRoleInput): Promise<RoleRecord> {
  const viewer = viewerOf(context);
  const given = validate(createRoleInput, input as z.input<typeof createRoleInput>);
  if (!canCreateRole(viewer)) throw new OperationError('PERMISSION_DENIED');
  const { networkId } = viewer;
  const { roles } = context.store.collections;
  const now = context.now();
  const role: RoleRecord = {
    _id: new ObjectId(),
    networkId,
    ...given,
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  };
  await context.transaction(
    async (session) => {
      await checkWithin(context, session, canCreateRole, given);
      if ((await roles.countDocuments({ networkId }, { session })) >= MAX_ROLES) {
        throw new OperationError('BAD_REQUEST', { message: `At most ${MAX_ROLES} roles.` });
      }
      const taken = await roles.findOne({ networkId, roleId: given.roleId }, { session });
      if (taken) throw idTakenError('roleId', { isSeen: canSeeRole(viewer, taken) });
      await roles.insertOne(role, { session });
      await recordAudit(context, session, [actOn(role.roleId, given)]);
      await appendEvents(context, session, [roleEvent('role.created', role)]);
    },
    lockFor(context, 'record', `role ${given.roleId}`),
  );
  context.load.roles.clear(role.roleId);
  return role;
}

/**
 * Changes a role. Absent fields stay. The change applies to every request that begins after its acknowledgement.
 * Neither the old nor the new rank and permissions can exceed the viewer's own.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND, PERMISSION_DENIED; BAD_REQUEST for the rank or permissions of
 *   `global-admin`
 */
export async function updateRole(context: Context, input: UpdateRoleInput): Promise<RoleRecord> {
  const { roleId, ...given } = validate(updateRoleInput, input as z.input<typeof updateRoleInput>);
  const changes: Partial<RoleRecord> = omitUndefined(given);
  if (roleId === ADMIN_ROLE && canEditRole(viewerOf(context)) && (changes.permissions || changes.rank !== undefined)) {
    const message = 'The permissions and the rank of this role cannot be changed.';
    throw new OperationError('BAD_REQUEST', { message, path: ['roleId'] });
  }
  return change(context, roleId, canEditRole, changes);
}

/**
 * Deletes a role. Its holders lose the permissions and the rank that it gave.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, BAD_REQUEST for a default role
 */
export async function deleteRole(context: Context, input: z.input<typeof deleteRoleInput>): Promise<RoleRecord> {
  const { roleId } = validate(deleteRoleInput, input);
  const viewer = viewerOf(context);
  if (canDeleteRole(viewer) && isDefaultRole(roleId)) {
    throw new OperationError('BAD_REQUEST', {
      message: 'A default role cannot be deleted.',
      path: ['roleId'],
    });
  }
  return change(context, roleId, canDeleteRole, { isDeleted: true });
}

async function change(
  context: Context,
  roleId: string,
  may: (viewer: Viewer) => boolean,
  changes: Partial<RoleRecord>,
): Promise<RoleRecord> {
  const viewer = viewerOf(context);
  const known = await context.load.roles.load(roleId);
  if (!known || known.isDeleted) throw notFound('Role');
  if (!may(viewer)) throw new OperationError('PERMISSION_DENIED');
  if (Object.keys(changes).length === 0) return known;
  const { networkId } = viewer;
  const changed = await context.transaction(
    async (session) => {
      const { roles } = context.store.collections;
      const before = await roles.findOne({ networkId, roleId, isDeleted: false }, { session });
      if (!before) throw notFound('Role');
      await checkWithin(context, session, may, before, { ...before, ...changes });
      const after = await roles.findOneAndUpdate(
        { networkId, roleId, isDeleted: false },
        { $set: { ...changes, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      );
      if (!after) throw notFound('Role');
      await recordAudit(context, session, [actOn(roleId, changes)]);
      await appendEvents(context, session, [roleEvent(changes.isDeleted ? 'role.deleted' : 'role.updated', after)]);
      return after;
    },
    lockFor(context, 'record', `role ${roleId}`),
  );
  context.load.roles.clear(changed.roleId);
  return changed;
}

function actOn(subjectId: string, { rank, permissions }: Partial<RoleRecord>): Act {
  return { subjectType: 'role', subjectId, details: omitUndefined({ rank, permissions }) };
}

/** @throws {OperationError} PERMISSION_DENIED for a role that exceeds the viewer's roles as read in the transaction */
async function checkWithin(
  context: Context,
  session: ClientSession,
  may: (viewer: Viewer) => boolean,
  ...wanted: ReadonlyArray<Pick<RoleRecord, 'permissions' | 'rank'>>
): Promise<void> {
  const own = await requireNetworkRight(context, session, may);
  for (const role of wanted) {
    const excess = excessOf(role, own);
    if (excess) throw new OperationError('PERMISSION_DENIED', { message: EXCESS[excess], path: [excess] });
  }
}

const EXCESS = {
  rank: 'The rank exceeds your own.',
  permissions: 'The role contains permissions that you do not hold.',
} as const;
