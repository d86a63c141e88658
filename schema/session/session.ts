import { type CreatedSession, createSession } from '../../src/domain/session/create-session.ts';
import { mintAuthToken } from '../../src/domain/session/mint-auth-token.ts';
import { revokeSession } from '../../src/domain/session/revoke-session.ts';
import { builder } from '../builder.ts';
import { User } from '../user/user.ts';

export const Session = builder.objectRef<CreatedSession>('Session').implement({
  description: 'A signed-in device.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'Goes into `Authorization: Bearer <token>`.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Empty: a client renews by creating a session again.',
    }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'When the token was signed.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends.' }),
    user: t.expose('user', { type: User, description: 'Who signed in.' }),
  }),
});

builder.relayMutationField(
  'createSession',
  {
    description: 'Who signs in. The network is named by the `X-API-Key` header.',
    inputFields: (t) => ({
      userId: t.string({
        required: true,
        description: 'Public id, 1 to 50 characters; created when unknown, unless the network forbids it.',
      }),
      displayName: t.string({ description: 'Name of a new user, at most 100 characters.' }),
      authToken: t.string({
        description: 'Minted with the server key; needed in secure mode and by holders of a network-wide role.',
      }),
      deviceId: t.string({ description: 'Id of the device, at most 150 characters.' }),
    }),
  },
  {
    description: 'Signs a user in.',
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
  { description: "Nothing to say: the session is the token's own.", inputFields: () => ({}) },
  {
    description: "Signs the viewer's device out: the token is refused from then on.",
    errors: {},
    resolve: async (_, _args, context) => {
      await revokeSession(context);
      return { success: true };
    },
  },
  {
    description: 'The session ended.',
    outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
  },
);

builder.relayMutationField(
  'mintAuthToken',
  {
    description: 'For whom. Needs the `X-Server-Key` header.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id, 1 to 50 characters.' }) }),
  },
  {
    description: 'Mints a proof, good for ten minutes, that your server lets a user sign in.',
    errors: {},
    resolve: async (_, { input }, context) => ({ authToken: await mintAuthToken(context, input) }),
  },
  {
    description: 'The proof.',
    outputFields: (t) => ({ authToken: t.exposeString('authToken', { description: 'Goes into `createSession`.' }) }),
  },
);
