import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { text } from '../../params.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const SESSION = 'session { accessToken refreshToken issuedAt expiresAt userType users: user { ...UserWithAvatar } }';

/**
 * The interface rejects an empty `displayName` and `deviceId`, which the operation accepts, reads an empty `authToken` as
 * none, and ignores `deviceInfo`, which published clients send.
 */
const params = z.object({
  userId: operationParams('createSession').shape.userId,
  displayName: text({ max: 100 }).nullish(),
  authToken: text({ max: 2_000 })
    .nullish()
    .or(z.literal('').transform(() => null)),
  deviceId: text({ max: 150 }).nullish(),
  deviceInfo: z.looseObject({}).nullish(),
});

export const createSession = (['v5', 'v4', 'v3'] as const).map((version) =>
  route({
    method: 'POST',
    path: `/api/${version}/sessions`,
    reference: 'create-session',
    summary: 'Sign a user in to the network of the header X-API-Key.',
    params,
    document: mutation('createSession', SESSION),
    variables: ({ userId, displayName, authToken, deviceId }) => ({
      input: { userId, displayName: displayName ?? null, authToken: authToken ?? null, deviceId: deviceId ?? null },
    }),
    arrays: USER_ARRAYS,
    open: true,
  }),
);

export const refreshSession = route({
  method: 'POST',
  path: '/api/v5/sessions/refresh',
  reference: 'refresh-session',
  summary: 'Replace the access token and the refresh token of a session.',
  params: operationParams('refreshSession'),
  document: mutation('refreshSession', SESSION),
  variables: ({ refreshToken }) => ({ input: { refreshToken } }),
  arrays: USER_ARRAYS,
  open: true,
});

/** Clients that sign no visits leave the signature out or send it empty. */
const visitorParams = operationParams('createVisitorSession')
  .omit({ isBot: true })
  .extend({ deviceInfo: z.looseObject({}).nullish() });

export const createVisitorSessions = (['visitor', 'bot'] as const).map((userType) =>
  route({
    method: 'POST',
    path: `/api/v5/sessions/${userType}`,
    reference: 'create-a-session-of-a-visitor',
    summary: `Create a read-only session of a ${userType} of the network of the header X-API-Key.`,
    params: visitorParams,
    document: mutation('createVisitorSession', SESSION),
    variables: ({ deviceId, authSignature, authSignatureExpiresAt }) => ({
      input: {
        deviceId,
        isBot: userType === 'bot',
        authSignature: authSignature ?? null,
        authSignatureExpiresAt: authSignatureExpiresAt ?? null,
      },
    }),
    arrays: USER_ARRAYS,
    open: true,
  }),
);
