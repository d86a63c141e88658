import { forMutation } from '../../operation-params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

export const updateUser = route({
  ...forMutation('updateUser', USER),
  method: 'PUT',
  path: '/api/v3/users',
  reference: 'update-user',
  summary: 'Update a profile, by default that of the viewer.',
  arrays: USER_ARRAYS,
});
