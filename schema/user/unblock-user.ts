import { unblockUser } from '../../src/domain/user/blocks/block-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'unblockUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: "Takes the viewer's block on a user back.",
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await unblockUser(context, input) }),
  },
  {
    description: 'The user without the block.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
