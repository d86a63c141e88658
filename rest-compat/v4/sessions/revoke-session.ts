import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { route } from '../../route.ts';

export const revokeSession = route({
  method: 'DELETE',
  path: '/api/v4/sessions',
  reference: 'delete-session',
  summary: 'Sign out: revoke the session of the access token.',
  params: z.object({}),
  document: mutation('revokeSession', 'success'),
  variables: () => ({ input: {} }),
  arrays: [],
});
