import { flagUser } from '../../src/domain/user/moderation/flag-user.ts';
import { FlagReason } from '../flag/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'flagUser',
  {
    description: 'Which user, and why.',
    inputFields: (t) => ({
      userId: t.string({ required: true, description: 'Public id of the user.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description: 'Tells those who moderate the network of a user. One flag a user: a repeat changes the reason.',
    errors: {},
    resolve: async (_, { input }, context) => ({ user: await flagUser(context, input) }),
  },
  {
    description: 'The flagged user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
