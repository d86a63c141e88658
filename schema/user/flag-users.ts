import { clearUserFlags, flagUser, flagUserInput, unflagUser } from '../../src/domain/user/moderation/flag-user.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'flagUser',
  inputOf(flagUserInput, { reason: FlagReason }),
  {
    description:
      'Flags a user for the network moderators. A user has at most one flag on another; flagging again changes the reason.',
    resolve: async (_, { input }, context) => ({ user: await flagUser(context, input) }),
    ...causes('user.flagged'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The flagged user.' }) }) },
);

mutationField(
  'unflagUser',
  inputOf(userIdInput),
  {
    description: 'Withdraws the flag of the viewer on a user. Does nothing if there is none.',
    resolve: async (_, { input }, context) => ({ user: await unflagUser(context, input) }),
    ...causes('user.unflagged'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user without the flag.' }) }) },
);

mutationField(
  'clearUserFlags',
  inputOf(userIdInput),
  {
    description: 'Removes all flags from a user. Requires EDIT_USER in the network.',
    resolve: async (_, { input }, context) => ({ user: await clearUserFlags(context, input) }),
    ...causes('user.flagCleared'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user without flags.' }) }) },
);
