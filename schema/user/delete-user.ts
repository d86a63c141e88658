import { deleteUser } from '../../src/domain/user/delete-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'deleteUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ description: "Public id; the viewer's own unless told." }) }),
  },
  {
    description:
      'Deletes an account: memberships, roles, requests to join and sessions end. What the user wrote stays.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await deleteUser(context, input) }),
  },
  {
    description: 'The deleted user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
