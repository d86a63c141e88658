import { z } from 'zod';
import { flagParams } from '../../flag-params.ts';
import { FlagRestUserDocument, UnflagRestUserDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { path: '/api/v4/me/flags/:userId', section: 'legacy-facts §7', arrays: ['users', 'files'] } as const;

export const flagUsers: Route[] = [
  route({
    ...shared,
    method: 'POST',
    summary: 'Flag a user for those who moderate the network.',
    params: z.object({ userId: id(50), ...flagParams }),
    document: FlagRestUserDocument,
    variables: ({ userId, reason, detail }) => ({ input: { userId, reason: reason ?? null, detail: detail ?? null } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    summary: "Take the caller's flag on a user back.",
    params: z.object({ userId: id(50) }),
    document: UnflagRestUserDocument,
    variables: ({ userId }) => ({ input: { userId } }),
  }),
];
