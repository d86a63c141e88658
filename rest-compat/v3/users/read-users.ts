import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, decodeOnceMore, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { USER_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'query-users', arrays: USER_ARRAYS } as const;

/** An empty keyword does not filter. */
const keyword = text({ min: 0, max: 100 }).optional();

export const readUsers = [
  route({
    ...shared,
    path: '/api/v3/users',
    summary: 'List the users of the network.',
    params: z.object({
      keyword,
      displayName: keyword.describe('Another name of `keyword`, which takes precedence.'),
      filter: enumParam('UserFilter').default('ALL'),
      sortBy: enumParam('UserSort').default('DISPLAY_NAME'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: operation('QueryUsers'),
    variables: ({ keyword, displayName, filter, sortBy, isDeleted, options }) => ({
      keyword: keyword || displayName || null,
      filter,
      sortBy,
      isDeleted,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v3/users/list',
    summary: 'List users by their ids.',
    params: z.object({ userIds: list(id(), { min: 1, max: 100 }) }),
    document: operation('ListUsers'),
    variables: ({ userIds }) => ({ userIds: userIds.map(decodeOnceMore) }),
  }),
  route({
    ...shared,
    path: '/api/v3/users/:userId',
    summary: 'Get one user.',
    params: z.object({ userId: id() }),
    document: operation('GetUser'),
    variables: ({ userId }) => ({ userId }),
    required: 'User',
  }),
];
