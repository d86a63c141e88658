import {
  createRole,
  createRoleInput,
  deleteRole,
  deleteRoleInput,
  updateRole,
  updateRoleInput,
} from '../../src/domain/role/change-role.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Role } from './role.ts';

mutationField(
  'createRole',
  inputOf(createRoleInput, { permissions: 'String' }),
  {
    description: 'Creates a role. It cannot have permissions that the viewer lacks in the network.',
    resolve: async (_, { input }, context) => ({ role: await createRole(context, input) }),
    ...causes('role.created'),
  },
  { outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The new role.' }) }) },
);

mutationField(
  'updateRole',
  inputOf(updateRoleInput, { permissions: 'String' }),
  {
    description: 'Changes a role for all users who hold it. Omitted fields stay unchanged.',
    resolve: async (_, { input }, context) => ({ role: await updateRole(context, input) }),
    ...causes('role.updated'),
  },
  { outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The updated role.' }) }) },
);

mutationField(
  'deleteRole',
  inputOf(deleteRoleInput),
  {
    description:
      'Deletes a role. Users who hold it lose its permissions. The built-in roles of a network cannot be deleted.',
    resolve: async (_, { input }, context) => ({ role: await deleteRole(context, input) }),
    ...causes('role.deleted'),
  },
  { outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The deleted role.' }) }) },
);
