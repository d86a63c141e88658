import { deleteUser, deleteUserInput } from '../../src/domain/user/delete-user.ts';
import { updateUser, updateUserInput } from '../../src/domain/user/update-user.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'updateUser',
  inputOf(updateUserInput),
  {
    description:
      'Changes a profile. Omitted fields stay unchanged; null clears an optional field. The memberships of the user take over the display name.',
    resolve: async (_, { input }, context) => ({ user: await updateUser(context, input) }),
    ...causes('user.updated'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The updated user.' }) }) },
);

mutationField(
  'deleteUser',
  inputOf(deleteUserInput),
  {
    description:
      'Deletes an account: memberships, follows, roles, join requests and sessions end. Content of the user is not deleted.',
    resolve: async (_, { input }, context) => ({ user: await deleteUser(context, input) }),
    ...causes(
      'community.left',
      'community.userChanged',
      'channel.left',
      'user.deleted',
      'join-request.cancelled',
      'follow.unfollowed',
      'follow.requestCanceled',
      'follow.followerDeleted',
      'follow.requestDeclined',
    ),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The deleted user.' }) }) },
);
