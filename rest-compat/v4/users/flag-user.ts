import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const shared = { path: '/api/v4/me/flags/:userId', reference: 'flag-user', arrays: USER_ARRAYS } as const;
const params = z.object({ userId: id(50) });

export const flagUser = [
  route({
    ...shared,
    method: 'POST',
    summary: 'Flag a user for the moderators of the network.',
    params: operationParams('flagUser'),
    document: mutation('flagUser', USER),
    variables: ({ userId, reason = null, detail = null }) => ({ input: { userId, reason, detail } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    summary: "Withdraw the caller's flag on a user.",
    params,
    document: mutation('unflagUser', USER),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/users/:userId/isflagbyme',
    summary: 'Whether the caller flagged a user.',
    params,
    document: operation('IsUserFlagged'),
    variables: ({ userId }) => ({ userId }),
    arrays: [],
  }),
];
