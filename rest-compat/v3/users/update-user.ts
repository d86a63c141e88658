import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, text } from '../../params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

export const updateUser = route({
  method: 'PUT',
  path: '/api/v3/users',
  reference: 'update-user',
  summary: "Update a profile, the caller's own by default.",
  params: z.object({
    userId: id(50).nullish(),
    displayName: text({ max: 100 }).nullish(),
    description: z.string().nullish(),
    avatarFileId: z.string().nullish(),
    avatarCustomUrl: z.string().nullish(),
    metadata: z.looseObject({}).nullish(),
  }),
  document: mutation('updateUser', USER),
  variables: (input) => ({ input }),
  arrays: USER_ARRAYS,
});
