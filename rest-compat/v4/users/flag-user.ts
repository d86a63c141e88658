import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const shared = { path: '/api/v4/me/flags/:userId', reference: 'flag-user', arrays: USER_ARRAYS } as const;

export const flagUser = [
  route({
    ...shared,
    ...forMutation('flagUser', USER, { absentAsNull: true }),
    method: 'POST',
    summary: 'Flag a user for the moderators of the network.',
  }),
  route({
    ...shared,
    ...forMutation('unflagUser', USER),
    method: 'DELETE',
    summary: 'Withdraw the flag of the viewer on a user.',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/users/:userId/isflagbyme',
    summary: 'Get whether the viewer has flagged a user.',
    params: z.object({ userId: id(50) }),
    document: operation('IsUserFlagged'),
    variables: ({ userId }) => ({ userId }),
    arrays: [],
  }),
];
