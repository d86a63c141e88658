import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { COMMUNITY_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

/**
 * The interface names the role ids `roles`. Both lists are documented as query parameters; clients send them in a JSON
 * body.
 */
const { communityId, roleIds: roles, userIds } = operationParams('addCommunityRoles').shape;
const params = z.object({ communityId, roles, userIds });

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
    summary: 'Remove roles from members of a community.',
    document: mutation('removeCommunityRoles', COMMUNITY_AND_USERS),
  }),
  route({
    ...shared,
    method: 'POST',
    summary: 'Assign roles to members of a community.',
    document: mutation('addCommunityRoles', COMMUNITY_AND_USERS),
  }),
];
