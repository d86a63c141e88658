import { assignNetworkRoles } from '../../src/domain/user/roles/change-user-roles.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'assignNetworkRoles',
  {
    description: 'Which roles, and whose. Needs the `X-Server-Key` header, and no token.',
    inputFields: (t) => ({
      userId: t.string({ required: true, description: 'Public id of the user.' }),
      roleIds: t.stringList({ required: true, description: '1 to 100 role ids.' }),
    }),
  },
  {
    description: 'Gives a user roles in the network by the word of your own server: so a network gets its first admin.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await assignNetworkRoles(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
