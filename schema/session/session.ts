import { type CreatedSession, createSession, createSessionInput } from '../../src/domain/session/create-session.ts';
import { mintAuthToken } from '../../src/domain/session/mint-auth-token.ts';
import { revokeSession, revokeSessionInput } from '../../src/domain/session/revoke-session.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes } from '../shared/mutation-field.ts';
import { User } from '../user/user.ts';

export const Session = builder.objectRef<CreatedSession>('Session').implement({
  description: 'A session of a user on a device.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description: 'Access token, for the header `Authorization: Bearer <token>`.',
    }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Always empty: clients renew a session by creating a new one.',
    }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'Time of issue.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Expiry time.' }),
    user: t.expose('user', { type: User, description: 'The signed-in user.' }),
  }),
});

builder.relayMutationField(
  'createSession',
  {
    description: 'Input of `createSession`. The `X-API-Key` header names the network.',
    ...inputOf(createSessionInput),
  },
  {
    description: 'Signs a user in on a device.',
    errors: {},
    resolve: (_, { input }, context) => createSession(context, input),
    ...causes('user.created'),
  },
  {
    description: 'The new session.',
    outputFields: (t) => ({
      session: t.field({ type: Session, description: 'The new session.', resolve: (session) => session }),
    }),
  },
);

builder.relayMutationField(
  'revokeSession',
  {
    description: 'Input of `revokeSession`, which ends the session of the access token.',
    ...inputOf(revokeSessionInput),
  },
  {
    description: 'Ends the session of the viewer. Its access token is rejected from then on.',
    errors: {},
    resolve: async (_, _args, context) => {
      await revokeSession(context);
      return { success: true };
    },
  },
  {
    description: 'Result of `revokeSession`.',
    outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
  },
);

builder.relayMutationField(
  'mintAuthToken',
  { description: 'Input of `mintAuthToken`.', ...inputOf(userIdInput) },
  {
    description:
      'Creates a token, valid for ten minutes, with which a user can sign in. Requires the `X-Server-Key` header.',
    errors: {},
    resolve: async (_, { input }, context) => ({ authToken: await mintAuthToken(context, input) }),
  },
  {
    description: 'Result of `mintAuthToken`.',
    outputFields: (t) => ({
      authToken: t.exposeString('authToken', { description: 'The token, for `createSession`.' }),
    }),
  },
);
