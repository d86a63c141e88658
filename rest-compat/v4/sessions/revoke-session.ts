import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';

export const revokeSession = route({
  ...forMutation('revokeSession', 'success'),
  method: 'DELETE',
  path: '/api/v4/sessions',
  reference: 'delete-session',
  summary: 'Sign out: revoke the session of the access token.',
  arrays: [],
});
