import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { GetRoleDocument, QueryRolesDocument, type RoleSort } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { method: 'GET', section: 'legacy-facts §7', arrays: ['roles'] } as const;

export const roles: Route[] = [
  route({
    ...shared,
    path: '/api/v3/roles',
    summary: 'Query roles.',
    params: z.object({
      keyword: text({ min: 0, max: 100 }).optional(),
      sortBy: enumParam<RoleSort>('RoleSort').default('FIRST_CREATED'),
      options: pagingOptions(),
    }),
    document: QueryRolesDocument,
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
    document: GetRoleDocument,
    variables: ({ roleId }) => ({ roleId }),
    required: 'Role',
  }),
];
