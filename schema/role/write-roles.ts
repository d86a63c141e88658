import { createRole, deleteRole, updateRole } from '../../src/domain/role/change-role.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Role } from './role.ts';

mutationField(
  'createRole',
  {
    description: 'What to make.',
    inputFields: (t) => ({
      roleId: t.string({ required: true, description: 'Public id, 1 to 100 characters without white space.' }),
      displayName: t.string({ required: true, description: 'Name to show, 1 to 100 characters.' }),
      permissions: t.stringList({ required: true, description: 'What its holders may do, none that you may not.' }),
      rank: t.int({ required: true, description: '0 to 100, and not above your own.' }),
    }),
  },
  {
    description: 'Makes a role, with nothing that its maker does not hold in the network.',
    resolve: async (_, { input }, context) => ({ role: await createRole(context, input) }),
  },
  {
    description: 'The role as it is now.',
    outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The role.' }) }),
  },
);

mutationField(
  'updateRole',
  {
    description: 'Which role, and what to change. What is absent stays.',
    inputFields: (t) => ({
      roleId: t.string({ required: true, description: 'Public id.' }),
      displayName: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      permissions: t.stringList({ description: 'What its holders may do, none that you may not.' }),
      rank: t.int({ description: '0 to 100, and not above your own.' }),
    }),
  },
  {
    description: 'Changes a role for all who hold it.',
    resolve: async (_, { input }, context) => ({ role: await updateRole(context, input) }),
  },
  {
    description: 'The role as it is now.',
    outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The role.' }) }),
  },
);

mutationField(
  'deleteRole',
  {
    description: 'Which role.',
    inputFields: (t) => ({ roleId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description:
      'Deletes a role: whoever holds it has nothing from it any more. Those that every network begins with stay.',
    resolve: async (_, { input }, context) => ({ role: await deleteRole(context, input) }),
  },
  {
    description: 'The role as it is now.',
    outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The role.' }) }),
  },
);
