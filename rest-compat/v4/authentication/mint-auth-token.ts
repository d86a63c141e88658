import { z } from 'zod';
import { MintRestAuthTokenDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  section: 'legacy-facts §2.2',
  summary: 'Mint a proof that your server lets a user sign in; needs x-server-key.',
  params: z.object({ userId: id(50) }),
  document: MintRestAuthTokenDocument,
  variables: ({ userId }: { userId: string }) => ({ userId }),
  arrays: [],
  // The answer is a bare JSON string (legacy-facts §2.2).
  wrap: (body: { [key: string]: unknown }) => body.authToken as object,
  open: true,
};

export const mintAuthTokens: Route[] = [
  route({ ...shared, method: 'POST', path: '/api/v4/authentication/token' }),
  route({ ...shared, method: 'GET', path: '/api/v3/authentication/token' }),
];
