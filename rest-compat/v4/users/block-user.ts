import { z } from 'zod';
import { BlockedRestUsersDocument, BlockRestUserDocument, UnblockRestUserDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const path = '/api/v4/me/user-blocks';
const shared = { section: 'legacy-facts §7', arrays: ['users', 'files'] } as const;
const one = z.object({ userId: id(50) });

export const userBlocks: Route[] = [
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'Whom the caller blocked, the latest first.',
    params: z.object({ options: pagingOptions() }),
    document: BlockedRestUsersDocument,
    variables: ({ options }) => connectionVariables(options),
    paging: ['previous'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${path}/:userId`,
    summary: 'Block a user; 400324 beyond the most that one user blocks.',
    params: one,
    document: BlockRestUserDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: `${path}/:userId`,
    summary: "Take the caller's block on a user back.",
    params: one,
    document: UnblockRestUserDocument,
    variables: (input) => ({ input }),
  }),
];
