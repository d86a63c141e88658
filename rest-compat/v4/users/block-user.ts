import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { USER } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const path = '/api/v4/me/user-blocks';
const shared = { reference: 'block-user', arrays: USER_ARRAYS } as const;
const ofUser = {
  ...shared,
  path: `${path}/:userId`,
  params: z.object({ userId: id(50) }),
  variables: (input: { userId: string }) => ({ input }),
};

export const blockUser = [
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'List the users whom the caller blocked, latest block first.',
    params: z.object({ options: pagingOptions() }),
    document: operation('BlockedUsers'),
    variables: ({ options }) => connectionVariables(options),
    paging: ['previous'],
  }),
  route({
    ...ofUser,
    method: 'POST',
    summary: 'Block a user; error 400324 at the limit of blocks per user.',
    document: mutation('blockUser', USER),
  }),
  route({
    ...ofUser,
    method: 'DELETE',
    summary: 'Unblock a user.',
    document: mutation('unblockUser', USER),
  }),
];
