import { clearUserFlags, flagUser, unflagUser } from '../../src/domain/user/moderation/flag-user.ts';
import { FlagReason } from '../shared/flag-reason.ts';
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
    resolve: async (_, { input }, context) => ({ user: await flagUser(context, input) }),
  },
  {
    description: 'The flagged user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

mutationField(
  'unflagUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: "Takes the viewer's flag on a user back.",
    resolve: async (_, { input }, context) => ({ user: await unflagUser(context, input) }),
  },
  {
    description: 'The user without the flag.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

mutationField(
  'clearUserFlags',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: 'Takes all flags from a user.',
    resolve: async (_, { input }, context) => ({ user: await clearUserFlags(context, input) }),
  },
  {
    description: 'The user without flags.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
