import { type CreatedSession, createSession } from '../../src/domain/session/create-session.ts';
import { mintAuthToken } from '../../src/domain/session/mint-auth-token.ts';
import { revokeSession } from '../../src/domain/session/revoke-session.ts';
import { builder } from '../builder.ts';
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
    inputFields: (t) => ({
      userId: t.string({
        required: true,
        description:
          'Public id of the user, 1 to 50 characters. An unknown user is created, unless the network forbids it.',
      }),
      displayName: t.string({ description: 'Display name of a new user, at most 100 characters.' }),
      authToken: t.string({
        description:
          'Token created by `mintAuthToken`; required in secure mode and for users with a network-wide role.',
      }),
      deviceId: t.string({ description: 'Id of the device, at most 150 characters.' }),
    }),
  },
  {
    description: 'Signs a user in on a device.',
    errors: {},
    resolve: (_, { input }, context) => createSession(context, input),
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
  { description: 'Input of `revokeSession`, which ends the session of the access token.', inputFields: () => ({}) },
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
  {
    description: 'Input of `mintAuthToken`.',
    inputFields: (t) => ({
      userId: t.string({ required: true, description: 'Public id of the user, 1 to 50 characters.' }),
    }),
  },
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
