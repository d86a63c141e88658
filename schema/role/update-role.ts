import { updateRole } from '../../src/domain/role/change-role.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Role } from './role.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ role: await updateRole(context, input) }),
  },
  {
    description: 'The role as it is now.',
    outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The role.' }) }),
  },
);
