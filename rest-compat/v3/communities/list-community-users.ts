import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';

export const listCommunityUsers = route({
  method: 'GET',
  path: '/api/v3/communities/:communityId/users',
  reference: 'community-membership',
  summary: 'List the memberships of a community.',
  params: z.object({
    communityId: id(),
    memberships: list(enumParam('CommunityMembership'), { max: 3 }).optional(),
    roles: list(text({ max: 100 }), { max: 20 }).optional(),
    search: text({ min: 0, max: 100 }).optional(),
    sortBy: enumParam('MemberSort').default('FIRST_CREATED'),
    options: pagingOptions(),
  }),
  document: operation('CommunityUsers'),
  variables: ({ communityId, memberships, roles, search, sortBy, options }) => ({
    communityId,
    memberships: memberships?.length ? memberships : ['MEMBER' as const],
    roles: roles ?? null,
    search: search || null,
    sortBy,
    ...connectionVariables(options),
  }),
  arrays: ['communities', 'communityUsers', 'users', 'files', 'categories', 'feeds', 'joinRequests', 'roles'],
  required: 'Community',
  paging: ['previous'],
});
