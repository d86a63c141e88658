import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list, text } from '../../params.ts';
import { COMMUNITY_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

/** Both lists are documented as query parameters; clients send them in a JSON body. */
const params = z.object({
  communityId: id(900),
  roles: list(text({ max: 100 }), { min: 1, max: 100 }),
  userIds: list(text({ max: 50 }), { min: 1, max: 100 }),
});

const shared = {
  path: '/api/v4/communities/:communityId/users/roles',
  reference: 'community-roles',
  params,
  variables: ({ communityId, roles, userIds }: z.output<typeof params>) => ({
    input: { communityId, roleIds: roles, userIds },
  }),
  arrays: COMMUNITY_ARRAYS,
  apiKey: 'checked',
} as const;

export const changeCommunityRoles = [
  route({
    ...shared,
    method: 'DELETE',
    summary: 'Remove roles from community users.',
    document: mutation('removeCommunityRoles', COMMUNITY_AND_USERS),
  }),
  route({
    ...shared,
    method: 'POST',
    summary: 'Add roles to community users.',
    document: mutation('addCommunityRoles', COMMUNITY_AND_USERS),
  }),
];
