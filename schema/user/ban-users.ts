import { banUser, banUserInput, unbanUser } from '../../src/domain/user/moderation/ban-user.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'banUser',
  inputOf(banUserInput),
  {
    description:
      'Bans a user from the network, which ends their sessions immediately, until the ban ends or is lifted. A repeated ban without terms changes nothing. `CANNOT_BAN` for a user with a higher rank than the viewer.',
    resolve: async (_, { input }, context) => ({ user: await banUser(context, input) }),
    ...causes('user.didGlobalBan'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The banned user.' }) }) },
);

mutationField(
  'unbanUser',
  inputOf(userIdInput),
  {
    description: 'Unbans a user from the network. The user can sign in again. `NOT_BANNED` if the user is not banned.',
    resolve: async (_, { input }, context) => ({ user: await unbanUser(context, input) }),
    ...causes('user.didGlobalUnban'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The unbanned user.' }) }) },
);
