import { z } from 'zod';
import { AddRestCommunityRolesDocument, RemoveRestCommunityRolesDocument } from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

/** Bounds of interface §8; the lists come in the query (as documented) or in a JSON body (as clients send them). */
const params = z.object({
  communityId: id(900),
  roles: list(text({ max: 100 }), { min: 1, max: 100 }),
  userIds: list(text({ max: 50 }), { min: 1, max: 100 }),
});

const shared = {
  path: '/api/v4/communities/:communityId/users/roles',
  params,
  variables: ({ communityId, roles, userIds }: z.output<typeof params>) => ({ communityId, roleIds: roles, userIds }),
  arrays: ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds', 'joinRequests'],
  apiKey: 'checked',
} as const;

export const communityRoles: Route[] = [
  route({
    ...shared,
    method: 'DELETE',
    section: 'interface §4.1',
    summary: 'Remove roles from community users.',
    document: RemoveRestCommunityRolesDocument,
  }),
  route({
    ...shared,
    method: 'POST',
    section: 'legacy-facts §7',
    summary: 'Add roles to community users.',
    document: AddRestCommunityRolesDocument,
  }),
];
