import type { CallTable } from './calls.ts';

const gardeners = '/api/v3/communities/gardeners';
const orchard = '/api/v4/communities/orchard-keepers/join';

/** Calls of the REST writes of communities and users. None removes what another one needs. */
export const PEOPLE_CALLS: CallTable = {
  'POST /api/v3/communities': () => ({
    path: '/api/v3/communities',
    body: { displayName: 'Bee Keepers', userIds: ['bob', 'carol'], categoryIds: ['flowers'] },
    budget: 26,
  }),
  'PUT /api/v3/communities/:communityId': () => ({ path: gardeners, body: { description: 'All of them' }, budget: 10 }),
  'DELETE /api/v3/communities/:communityId': () => ({
    as: 'admin',
    path: '/api/v3/communities/harvest-fair',
    budget: 11,
  }),
  'POST /api/v3/communities/:communityId/join': () => ({ as: 'erin', path: `${gardeners}/join`, budget: 25 }),
  'DELETE /api/v3/communities/:communityId/leave': () => ({ as: 'leo', path: `${gardeners}/leave`, budget: 19 }),
  'POST /api/v3/communities/:communityId/users': () => ({
    path: `${gardeners}/users`,
    body: { userIds: ['seedshop'] },
    budget: 27,
  }),
  'DELETE /api/v3/communities/:communityId/users': () => ({
    path: `${gardeners}/users`,
    body: { userIds: ['heidi'] },
    budget: 20,
  }),
  'PUT /api/v3/communities/:communityId/users/ban': () => ({
    path: `${gardeners}/users/ban`,
    body: { userIds: ['grace'] },
    budget: 23,
  }),
  'PUT /api/v3/communities/:communityId/users/unban': () => ({
    path: `${gardeners}/users/unban`,
    body: { userIds: ['dave'] },
    budget: 19,
  }),
  'POST /api/v4/communities/:communityId/join': () => ({ as: 'erin', path: orchard, budget: 12 }),
  'DELETE /api/v4/communities/:communityId/join': () => ({ as: 'bob', path: orchard, budget: 6 }),
  'GET /api/v4/communities/:communityId/join': () => ({ as: 'frank', path: orchard, budget: 8 }),
  'GET /api/v4/communities/:communityId/join/me': () => ({ as: 'carol', path: `${orchard}/me`, budget: 5 }),
  'POST /api/v4/communities/:communityId/join/approve': () => ({
    as: 'frank',
    path: `${orchard}/approve`,
    body: { userId: 'erin' },
    budget: 27,
  }),
  'POST /api/v4/communities/:communityId/join/reject': () => ({
    as: 'frank',
    path: `${orchard}/reject`,
    body: { userId: 'heidi' },
    budget: 10,
  }),
  'PUT /api/v3/users': () => ({
    path: '/api/v3/users',
    body: { userId: 'alice', displayName: 'Alice M.' },
    budget: 10,
  }),
  'GET /api/v3/users/:userId/isflagbyme': () => ({ path: '/api/v3/users/bob/isflagbyme', budget: 3 }),
  'POST /api/v4/me/flags/:userId': () => ({ path: '/api/v4/me/flags/bob', budget: 9 }),
  'DELETE /api/v4/me/flags/:userId': () => ({ path: '/api/v4/me/flags/bob', budget: 8 }),
  'POST /api/v4/me/user-blocks/:userId': () => ({ path: '/api/v4/me/user-blocks/kim', budget: 8 }),
  'GET /api/v4/me/user-blocks': () => ({ path: '/api/v4/me/user-blocks', budget: 5 }),
  'DELETE /api/v4/me/user-blocks/:userId': () => ({ path: '/api/v4/me/user-blocks/kim', budget: 8 }),
  'GET /api/v4/communities/join/requests': () => ({
    as: 'carol',
    path: '/api/v4/communities/join/requests',
    budget: 5,
  }),
  'GET /api/v3/files/:fileId': () => ({ path: '/api/v3/files/avatar-bob', budget: 2 }),
  'DELETE /api/v3/files/:fileId': () => ({ as: 'kim', path: '/api/v3/files/avatar-kim', budget: 5 }),
};
