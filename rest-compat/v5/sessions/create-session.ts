import { z } from 'zod';
import { CreateRestSessionDocument } from '../../generated/documents.ts';
import { id, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const params = z.object({
  userId: id(50),
  displayName: text({ max: 100 }).nullish(),
  authToken: text({ max: 2_000 })
    .nullish()
    .or(z.literal('').transform(() => null)),
  deviceId: text({ max: 150 }).nullish(),
  deviceInfo: z.looseObject({}).nullish(),
});

/** The same call on every version that published clients use (legacy-facts §2.1). */
export const createSessions: Route[] = (['v5', 'v4', 'v3'] as const).map((version) =>
  route({
    method: 'POST',
    path: `/api/${version}/sessions`,
    section: 'legacy-facts §2.1',
    summary: 'Sign a user in; the network is named by X-API-Key.',
    params,
    document: CreateRestSessionDocument,
    variables: ({ userId, displayName, authToken, deviceId }) => ({
      input: { userId, displayName: displayName ?? null, authToken: authToken ?? null, deviceId: deviceId ?? null },
    }),
    arrays: ['users', 'files'],
    open: true,
  }),
);
