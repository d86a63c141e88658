import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

export const updateUser = route({
  method: 'PUT',
  path: '/api/v3/users',
  reference: 'update-user',
  summary: "Update a profile, the caller's own by default.",
  params: operationParams('updateUser'),
  document: mutation('updateUser', USER),
  variables: (input) => ({ input }),
  arrays: USER_ARRAYS,
});
