import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';

const shared = { method: 'GET', reference: 'roles', arrays: ['roles'] } as const;

export const readRoles = [
  route({
    ...shared,
    path: '/api/v3/roles',
    summary: 'List the roles of the network.',
    params: z.object({
      keyword: text({ min: 0, max: 100 }).optional(),
      sortBy: enumParam('RoleSort').default('FIRST_CREATED'),
      options: pagingOptions(),
    }),
    document: operation('QueryRoles'),
    variables: ({ keyword, sortBy, options }) => ({
      keyword: keyword || null,
      sortBy,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v3/roles/:roleId',
    summary: 'Get one role.',
    params: z.object({ roleId: id() }),
    document: operation('GetRole'),
    variables: ({ roleId }) => ({ roleId }),
    required: 'Role',
    // This answer is a bare array: `docs/interface.md#roles`.
    wrap: ({ roles }) => roles as object[],
  }),
];
