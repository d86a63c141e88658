import { deleteRole } from '../../src/domain/role/change-role.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Role } from './role.ts';

mutationField(
  'deleteRole',
  {
    description: 'Which role.',
    inputFields: (t) => ({ roleId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description:
      'Deletes a role: whoever holds it has nothing from it any more. Those that every network begins with stay.',
    errors: {},
    resolve: async (_, { input }, context) => ({ role: await deleteRole(context, input) }),
  },
  {
    description: 'The role as it is now.',
    outputFields: (t) => ({ role: t.expose('role', { type: Role, description: 'The role.' }) }),
  },
);
