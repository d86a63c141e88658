import { addUserRoles, assignNetworkRoles, removeUserRoles } from '../../src/domain/user/roles/change-user-roles.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'addUserRoles',
  {
    description: 'Which roles, and whose.',
    inputFields: (t) => ({
      userId: t.string({ required: true, description: 'Public id of the user.' }),
      roleIds: t.stringList({ required: true, description: '1 to 100 role ids.' }),
    }),
  },
  {
    description: 'Gives a user roles in the network, up to the rank of the viewer. Their sessions have them at once.',
    resolve: async (_, { input }, context) => ({ user: await addUserRoles(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ user: await removeUserRoles(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ user: await assignNetworkRoles(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
