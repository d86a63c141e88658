import { z } from 'zod';
import { IsUserFlaggedDocument, UpdateRestUserDocument } from '../../generated/documents.ts';
import { id, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { section: 'legacy-facts §7' } as const;

export const changeUsers: Route[] = [
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/users',
    summary: "Change a profile, the caller's own unless told.",
    params: z.object({
      userId: id(50).nullish(),
      displayName: text({ max: 100 }).nullish(),
      description: z.string().nullish(),
      avatarFileId: z.string().nullish(),
      avatarCustomUrl: z.string().nullish(),
      metadata: z.looseObject({}).nullish(),
    }),
    document: UpdateRestUserDocument,
    variables: (input) => ({ input }),
    arrays: ['users', 'files'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/users/:userId/isflagbyme',
    summary: 'Whether the caller flagged a user.',
    params: z.object({ userId: id(50) }),
    document: IsUserFlaggedDocument,
    variables: ({ userId }) => ({ userId }),
    arrays: [],
  }),
];
