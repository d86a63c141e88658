import { createSession, createSessionInput } from '../../src/domain/session/create-session.ts';
import { createVisitorSession, createVisitorSessionInput } from '../../src/domain/session/create-visitor-session.ts';
import type { CreatedSession } from '../../src/domain/session/insert-session.ts';
import { exchangeLoginCode, exchangeLoginCodeInput } from '../../src/domain/session/login-code.ts';
import { consumeLoginLink, consumeLoginLinkInput } from '../../src/domain/session/login-link.ts';
import { mintAuthToken } from '../../src/domain/session/mint-auth-token.ts';
import { refreshSession, refreshSessionInput } from '../../src/domain/session/refresh-session.ts';
import { revokeAllSessions, revokeAllSessionsInput } from '../../src/domain/session/revoke-all-sessions.ts';
import { revokeSession, revokeSessionInput } from '../../src/domain/session/revoke-session.ts';
import { revokeSessions, revokeSessionsInput } from '../../src/domain/session/revoke-sessions.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from '../user/user.ts';
import { UserTypeEnum, userTypeOf } from '../user/user-type.ts';

export const Session = builder.objectRef<CreatedSession>('Session').implement({
  description: 'A session of a user or visitor on a device.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description:
        'Access token, for the header `Authorization: Bearer <token>`. Empty if the request has the header `X-Session: cookie`: the token is then in a cookie.',
    }),
    refreshToken: t.exposeString('refreshToken', {
      description:
        'Token for `refreshSession`, which replaces it. Empty unless the gateway issues short-lived access tokens (ACCESS_TOKEN_MINUTES): clients renew a session by creating a new one. Empty with `X-Session: cookie`, too.',
    }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'Time of issue.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Expiry time of the access token.' }),
    userType: t.field({
      type: UserTypeEnum,
      description: 'Whether the session belongs to an account, a visitor or a bot.',
      resolve: ({ user }) => userTypeOf(user),
    }),
    user: t.expose('user', { type: User, description: 'The user of the session.' }),
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
  'createVisitorSession',
  {
    description: 'Input of `createVisitorSession`. The `X-API-Key` header names the network.',
    ...inputOf(createVisitorSessionInput),
  },
  {
    description:
      'Creates a read-only session for a visitor or bot, who has no account. It reads what a new user reads, who has no memberships; mutations return `VISITOR_DENIED` or `BOT_DENIED`.',
    errors: {},
    resolve: (_, { input }, context) => createVisitorSession(context, input),
  },
  {
    description: 'The new session of a visitor.',
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

mutationField(
  'revokeSessions',
  inputOf(revokeSessionsInput),
  {
    description:
      'Ends all sessions of a user on all devices, or one of them: one’s own, or for users with `BAN_USER` those of users up to their rank. Their connections are closed, their unused login links removed, and they can sign in again.',
    resolve: async (_, { input }, context) => {
      await revokeSessions(context, input);
      return { success: true };
    },
  },
  { outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }) },
);

// Without a stored response, because its transaction would contain all sessions; a repeated call ends what is left.
builder.relayMutationField(
  'revokeAllSessions',
  { description: 'Input of `revokeAllSessions`.', ...inputOf(revokeAllSessionsInput) },
  {
    description:
      'Ends the sessions of all users and visitors of the network, for users with `EDIT_ROLE` and `ASSIGN_USER_ROLE`. Their connections are closed, their unused login links removed, and they can sign in again. The viewer’s session ends last: after an error, repeat the call.',
    errors: {},
    resolve: async (_, { input }, context) => {
      await revokeAllSessions(context, input);
      return { success: true };
    },
  },
  {
    description: 'Result of `revokeAllSessions`.',
    outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
  },
);

builder.relayMutationField(
  'consumeLoginLink',
  { description: 'Input of `consumeLoginLink`.', ...inputOf(consumeLoginLinkInput) },
  {
    description:
      'Signs in the user of a link that `npm run admin -- login-link` printed. A link works once; the session lasts a day.',
    errors: {},
    resolve: (_, { input }, context) => consumeLoginLink(context, input),
  },
  {
    description: 'The session of the link.',
    outputFields: (t) => ({
      session: t.field({ type: Session, description: 'The new session.', resolve: (session) => session }),
    }),
  },
);

builder.relayMutationField(
  'exchangeLoginCode',
  { description: 'Input of `exchangeLoginCode`.', ...inputOf(exchangeLoginCodeInput) },
  {
    description:
      'Returns the tokens of a sign-in at an OpenID Connect provider, for the code in the address to which it returned. A code works once, within a minute.',
    errors: {},
    resolve: (_, { input }, context) => exchangeLoginCode(context, input),
  },
  {
    description: 'The session of the sign-in.',
    outputFields: (t) => ({
      session: t.field({ type: Session, description: 'The session.', resolve: (session) => session }),
    }),
  },
);

builder.relayMutationField(
  'refreshSession',
  { description: 'Input of `refreshSession`.', ...inputOf(refreshSessionInput) },
  {
    description:
      'Replaces the access token and the refresh token of a session; the session itself does not become longer. Send it without an access token. A token that was replaced less than 30 seconds ago returns its successor again; one that was replaced earlier was copied, and ends the session (`UNAUTHORIZED`).',
    errors: {},
    resolve: (_, { input }, context) => refreshSession(context, input),
  },
  {
    description: 'The session with its new tokens.',
    outputFields: (t) => ({
      session: t.field({ type: Session, description: 'The session.', resolve: (session) => session }),
    }),
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
