import { deleteUser } from '../../src/domain/user/delete-user.ts';
import { updateUser } from '../../src/domain/user/update-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { User } from './user.ts';

mutationField(
  'updateUser',
  {
    description: 'Whose profile, and what to change. What is absent stays; null clears what can be empty.',
    inputFields: (t) => ({
      userId: t.string({ description: "Public id; the viewer's own unless told." }),
      displayName: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      description: t.string({ description: 'What the user says of themselves, at most 1,000 characters.' }),
      avatarFileId: t.string({ description: 'File id of the picture, one that you uploaded.' }),
      avatarCustomUrl: t.string({ description: 'Web address of a picture kept elsewhere, at most 2,000 characters.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
    }),
  },
  {
    description: 'Changes a profile. Memberships take the name. Roles and bans have mutations of their own.',
    resolve: async (_, { input }, context) => ({ user: await updateUser(context, input) }),
  },
  {
    description: 'The user as they are now.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

mutationField(
  'deleteUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ description: "Public id; the viewer's own unless told." }) }),
  },
  {
    description:
      'Deletes an account: memberships, roles, requests to join and sessions end. What the user wrote stays.',
    resolve: async (_, { input }, context) => ({ user: await deleteUser(context, input) }),
  },
  {
    description: 'The deleted user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);
