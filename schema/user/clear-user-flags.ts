import { clearUserFlags } from '../../src/domain/user/moderation/flag-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'clearUserFlags',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: 'Takes all flags from a user.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await clearUserFlags(context, input) }),
  },
  {
    description: 'The user without flags.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
