import { banUser, unbanUser } from '../../src/domain/user/moderation/ban-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'banUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description:
      'Bans a user from the network: their sessions end at once. Whoever ranks higher than the viewer cannot be banned.',
    resolve: async (_, { input }, context) => ({ user: await banUser(context, input) }),
  },
  {
    description: 'The banned user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

mutationField(
  'unbanUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: 'Takes a ban from the network back.',
    resolve: async (_, { input }, context) => ({ user: await unbanUser(context, input) }),
  },
  {
    description: 'The user, who may sign in again.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
