import { unbanUser } from '../../src/domain/user/moderation/ban-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'unbanUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: 'Takes a ban from the network back.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await unbanUser(context, input) }),
  },
  {
    description: 'The user, who may sign in again.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
