import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { connectionVariables } from '../../paging.ts';
import { pagingOptions } from '../../params.ts';
import { USER_AND_FOLLOW } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'block-user', arrays: ['follows', 'followCounts', ...USER_ARRAYS] } as const;

export const blockUser = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/v4/me/user-blocks',
    summary: 'List the users whom the viewer blocked, newest block first.',
    params: z.object({ options: pagingOptions() }),
    arrays: [...USER_ARRAYS, 'follows'],
    document: operation('BlockedUsers'),
    variables: ({ options }) => connectionVariables(options),
    paging: ['previous'],
  }),
  route({
    ...shared,
    ...forMutation('blockUser', USER_AND_FOLLOW),
    method: 'POST',
    path: '/api/v4/me/user-blocks/:userId',
    summary: 'Block a user; error 400324 if the viewer has blocked 1,000 users already.',
  }),
  route({
    ...shared,
    ...forMutation('unblockUser', USER_AND_FOLLOW),
    method: 'DELETE',
    path: '/api/v4/me/user-blocks/:userId',
    summary: 'Unblock a user.',
  }),
];
