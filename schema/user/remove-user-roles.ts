import { removeUserRoles } from '../../src/domain/user/roles/change-user-roles.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'removeUserRoles',
  {
    description: 'Which roles, and whose.',
    inputFields: (t) => ({
      userId: t.string({ required: true, description: 'Public id of the user.' }),
      roleIds: t.stringList({ required: true, description: '1 to 100 role ids.' }),
    }),
  },
  {
    description: 'Takes roles in the network from a user.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await removeUserRoles(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
