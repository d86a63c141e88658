import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  GetUserDocument,
  ListUsersDocument,
  QueryUsersDocument,
  type UserFilter,
  type UserSort,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, decodeOnceMore, id, list, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { method: 'GET', section: 'legacy-facts §7', arrays: ['users', 'files'] } as const;

/** An empty text asks for nothing in particular. */
const keyword = text({ min: 0, max: 100 }).optional();

export const users: Route[] = [
  route({
    ...shared,
    path: '/api/v3/users',
    summary: 'Query users.',
    params: z.object({
      keyword,
      displayName: keyword,
      filter: enumParam<UserFilter>('UserFilter').default('ALL'),
      sortBy: enumParam<UserSort>('UserSort').default('DISPLAY_NAME'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: QueryUsersDocument,
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
    summary: 'Get users by their ids.',
    params: z.object({ userIds: list(id(), { min: 1, max: 100 }) }),
    document: ListUsersDocument,
    variables: ({ userIds }) => ({ userIds: userIds.map(decodeOnceMore) }),
  }),
  route({
    ...shared,
    path: '/api/v3/users/:userId',
    summary: 'Get one user.',
    params: z.object({ userId: id() }),
    document: GetUserDocument,
    variables: ({ userId }) => ({ userId }),
    required: 'User',
  }),
];
