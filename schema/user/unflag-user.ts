import { unflagUser } from '../../src/domain/user/moderation/flag-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'unflagUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: "Takes the viewer's flag on a user back.",
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await unflagUser(context, input) }),
  },
  {
    description: 'The user without the flag.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
