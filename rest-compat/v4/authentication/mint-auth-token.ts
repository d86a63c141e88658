import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';

const shared = {
  ...forMutation('mintAuthToken', 'authToken'),
  reference: 'auth-tokens',
  summary: 'Create a token with which a user can sign in; requires the header X-Server-Key of your server.',
  arrays: [],
  // The answer is a bare JSON string: `docs/interface.md#auth-tokens`.
  wrap: (body: { [key: string]: unknown }) => body.authToken as object,
  open: true,
};

export const mintAuthToken = [
  route({ ...shared, method: 'POST', path: '/api/v4/authentication/token' }),
  route({ ...shared, method: 'GET', path: '/api/v3/authentication/token' }),
];
