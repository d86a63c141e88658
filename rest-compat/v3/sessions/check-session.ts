import { z } from 'zod';
import { operation } from '../../documents.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

export const checkSession = route({
  method: 'GET',
  path: '/api/v3/sessions',
  reference: 'check-session',
  summary: 'Check that the access token is valid, and get its user.',
  params: z.object({}),
  document: operation('CheckSession'),
  variables: () => ({}),
  arrays: USER_ARRAYS,
  required: 'User',
});
