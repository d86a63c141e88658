import {
  addUserRoles,
  assignNetworkRoles,
  removeUserRoles,
  userRolesInput,
} from '../../src/domain/user/roles/change-user-roles.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'addUserRoles',
  inputOf(userRolesInput),
  {
    description:
      'Assigns network-wide roles to a user, up to the rank of the viewer. Existing sessions of the user get them immediately.',
    resolve: async (_, { input }, context) => ({ user: await addUserRoles(context, input) }),
    ...causes('user.updated'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The updated user.' }) }) },
);

mutationField(
  'removeUserRoles',
  inputOf(userRolesInput),
  {
    description: 'Removes network-wide roles from a user.',
    resolve: async (_, { input }, context) => ({ user: await removeUserRoles(context, input) }),
    ...causes('user.updated'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The updated user.' }) }) },
);

mutationField(
  'assignNetworkRoles',
  inputOf(userRolesInput),
  {
    description:
      'Assigns network-wide roles on behalf of your own server, which is how a network gets its first administrator. Requires the `X-Server-Key` header and no token.',
    resolve: async (_, { input }, context) => ({ user: await assignNetworkRoles(context, input) }),
    ...causes('user.updated'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The updated user.' }) }) },
);
