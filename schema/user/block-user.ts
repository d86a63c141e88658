import { blockUser } from '../../src/domain/user/blocks/block-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'blockUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description:
      'Blocks a user: the two open no conversation and write in none of theirs, mention each other no more, and take no part on each other’s feeds. The viewer’s lists leave out what the other wrote. At most 1,000.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await blockUser(context, input) }),
  },
  {
    description: 'The blocked user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
