import { z } from 'zod';
import { RevokeRestSessionDocument } from '../../generated/documents.ts';
import { route } from '../../route.ts';

export const revokeSession = route({
  method: 'DELETE',
  path: '/api/v4/sessions',
  section: 'legacy-facts §2.1',
  summary: 'Sign out: the token is refused from then on.',
  params: z.object({}),
  document: RevokeRestSessionDocument,
  variables: () => ({}),
  arrays: [],
});
