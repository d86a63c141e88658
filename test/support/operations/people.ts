import type { Collections } from '../../../src/store/collections.ts';
import type { CallTable } from '../calls.ts';
import { AUDIT } from './audit.ts';

/** Budgets of the writes of communities and users, as in `other.ts`. None removes what another one needs. */
export const PEOPLE_OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
  { query: 'mutation { createCommunity(input: { displayName: "Bees" }) { __typename } }', budget: 23 },
  {
    query: 'mutation { updateCommunity(input: { communityId: "gardeners", displayName: "Gardens" }) { __typename } }',
    budget: 10 + AUDIT,
  },
  { query: 'mutation { joinCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 22, as: 'erin' },
  { query: 'mutation { leaveCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 17, as: 'erin' },
  {
    query:
      'mutation { addCommunityMembers(input: { communityId: "gardeners", userIds: ["erin", "seedshop", "admin"] }) { __typename } }',
    budget: 25 + AUDIT,
  },
  {
    query:
      'mutation { removeCommunityMembers(input: { communityId: "gardeners", userIds: ["erin", "seedshop"] }) { __typename } }',
    budget: 20,
  },
  {
    query:
      'mutation { banCommunityMembers(input: { communityId: "gardeners", userIds: ["kim", "leo", "mia"] }) { __typename } }',
    budget: 20,
  },
  {
    query:
      'mutation { unbanCommunityMembers(input: { communityId: "gardeners", userIds: ["kim", "leo", "mia"] }) { __typename } }',
    budget: 20,
  },
  {
    query: 'mutation { approveJoinRequest(input: { communityId: "orchard-keepers", userId: "bob" }) { __typename } }',
    budget: 25 + AUDIT,
    as: 'frank',
  },
  {
    query: 'mutation { rejectJoinRequest(input: { communityId: "orchard-keepers", userId: "heidi" }) { __typename } }',
    budget: 8 + AUDIT,
    as: 'frank',
  },
  { query: '{ viewerJoinRequest(communityId: "orchard-keepers") { status } }', budget: 2, as: 'carol' },
  {
    query: 'mutation { cancelJoinRequest(input: { communityId: "orchard-keepers" }) { __typename } }',
    budget: 4,
    as: 'erin',
  },
  {
    query: 'mutation { deleteCommunity(input: { communityId: "harvest-fair" }) { __typename } }',
    budget: 10 + AUDIT,
    as: 'admin',
  },
  { query: '{ isUserFlagged(userId: "bob") }', budget: 3 },
  { query: 'mutation { updateUser(input: { displayName: "Alice M." }) { __typename } }', budget: 10 },
  { query: 'mutation { flagUser(input: { userId: "kim" }) { __typename } }', budget: 7 },
  { query: 'mutation { unflagUser(input: { userId: "kim" }) { __typename } }', budget: 7 },
  { query: 'mutation { blockUser(input: { userId: "kim" }) { __typename } }', budget: 7 },
  { query: 'mutation { blockUser(input: { userId: "mia" }) { __typename } }', budget: 7, as: 'kim' },
  { query: '{ viewerBlockedUserCount }', budget: 2 },
  { query: '{ viewerBlockedUsers { edges { node { userId } } } }', budget: 3 },
  { query: 'mutation { unblockUser(input: { userId: "kim" }) { __typename } }', budget: 6 },
  { query: 'mutation { followUser(input: { userId: "mia" }) { __typename } }', budget: 11 },
  { query: 'mutation { unfollowUser(input: { userId: "mia" }) { __typename } }', budget: 9 },
  { query: 'mutation { followUser(input: { userId: "alice" }) { __typename } }', budget: 11, as: 'bob' },
  { query: 'mutation { acceptFollower(input: { userId: "bob" }) { __typename } }', budget: 8 },
  {
    query: '{ user(userId: "alice") { followCounts { followerCount } followers { edges { node { fromUserId } } } } }',
    budget: 4,
    as: 'bob',
  },
  { query: 'mutation { removeFollower(input: { userId: "bob" }) { __typename } }', budget: 9 },
  {
    query: 'mutation { updateDeepLinks(input: { domain: "app.example.com", patterns: {} }) { __typename } }',
    budget: 6 + AUDIT,
    as: 'admin',
  },
  {
    query: 'mutation { updateNetworkSettings(input: { chat: { enabled: true } }) { __typename } }',
    budget: 6 + AUDIT,
    as: 'admin',
  },
  { query: '{ serverStatus { version processes database { isReady } webhookBacklog } }', budget: 3, as: 'admin' },
  {
    query: '{ serverStatus { traffic { requests } eventLoop { p99Ms } acceptedTokenSecrets { until } } }',
    budget: 1,
    as: 'admin',
  },
  { query: '{ contentRules { blockedWords } }', budget: 2, as: 'admin' },
  { query: '{ networkKeys { keyId name expiresAt } }', budget: 2, as: 'admin' },
  { query: 'mutation { createKey(input: { kind: API, name: "Web" }) { __typename } }', budget: 6 + AUDIT, as: 'admin' },
  {
    query: 'mutation { renameKey(input: { keyId: "spare", name: "Kept" }) { __typename } }',
    budget: 6 + AUDIT,
    as: 'admin',
  },
  { query: 'mutation { rotateKey(input: { keyId: "spare" }) { __typename } }', budget: 6 + AUDIT, as: 'admin' },
  { query: 'mutation { retireKey(input: { keyId: "spare" }) { __typename } }', budget: 6 + AUDIT, as: 'admin' },
  {
    query: '{ auditLog { edges { node { action actor { displayName } affectedUser { displayName } } } } }',
    budget: 3,
    as: 'admin',
  },
  {
    query:
      '{ bans(filter: { kind: NETWORK }) { edges { node { reason expiresAt user { displayName } bannedBy { userId } } } } }',
    budget: 3,
    as: 'admin',
  },
  {
    query:
      '{ bans(filter: { kind: COMMUNITY }) { edges { node { reason user { displayName } community { displayName } } } } }',
    budget: 5,
    as: 'admin',
  },
  {
    query: '{ bans(filter: { kind: COMMUNITY, communityId: "gardeners" }) { edges { node { reason } } } }',
    budget: 4,
    as: 'admin',
  },
  {
    query: '{ bans(filter: { kind: COMMUNITY, userId: "kim" }) { edges { node { reason } } } }',
    budget: 2,
    as: 'admin',
  },
  {
    query: '{ bans(filter: { kind: CHANNEL }) { edges { node { reason channel { displayName } } } } }',
    budget: 4,
    as: 'admin',
  },
  {
    query: '{ bans(filter: { kind: CHANNEL, channelId: "shed" }) { edges { node { reason } } } }',
    budget: 3,
    as: 'admin',
  },
  { query: '{ bans(filter: { kind: CHANNEL, userId: "kim" }) { edges { node { reason } } } }', budget: 2, as: 'admin' },
  { query: '{ linkPreview(url: "https://page.invalid/") { domain } }', budget: 1 },
  { query: '{ verifyContent(texts: ["a"]) }', budget: 2 },
  { query: '{ checkText(text: "a") { rule value } }', budget: 2, as: 'admin' },
  {
    query: 'mutation { updateContentRules(input: { blockedWords: [] }) { __typename } }',
    budget: 5 + AUDIT,
    as: 'admin',
  },
  { query: '{ userSessions(userId: "kim") { sessionId } }', budget: 4, as: 'admin' },
  { query: 'mutation { revokeSessions(input: { userId: "kim" }) { __typename } }', budget: 10 + AUDIT, as: 'admin' },
  { query: 'mutation { consumeLoginLink(input: { token: "default.none" }) { __typename } }', budget: 3 },
  { query: 'mutation { exchangeLoginCode(input: { code: "default.none.none" }) { __typename } }', budget: 3 },
  { query: 'mutation { refreshSession(input: { refreshToken: "none" }) { __typename } }', budget: 1 },
  {
    query: 'mutation { updateSocialSettings(input: { userPrivacySetting: PUBLIC }) { __typename } }',
    budget: 6 + AUDIT,
    as: 'admin',
  },
  { query: 'mutation { clearUserFlags(input: { userId: "kim" }) { __typename } }', budget: 6, as: 'admin' },
  { query: 'mutation { banUser(input: { userId: "leo" }) { __typename } }', budget: 10 + AUDIT, as: 'admin' },
  { query: 'mutation { unbanUser(input: { userId: "leo" }) { __typename } }', budget: 7 + AUDIT, as: 'admin' },
  {
    query: 'mutation { addUserRoles(input: { userId: "leo", roleIds: ["moderator"] }) { __typename } }',
    budget: 10 + AUDIT,
    as: 'admin',
  },
  {
    query: 'mutation { removeUserRoles(input: { userId: "leo", roleIds: ["moderator"] }) { __typename } }',
    budget: 10 + AUDIT,
    as: 'admin',
  },
  { query: 'mutation { assignNetworkRoles(input: { userId: "leo", roleIds: ["x"] }) { __typename } }', budget: 2 },
  { query: 'mutation { deleteUser(input: {}) { __typename } }', budget: 20, as: 'erin' },
  {
    query:
      'mutation { updateCommunity(input: { communityId: "gardeners", requiresJoinApproval: true }) { __typename } }',
    budget: 14,
  },
  {
    query: 'mutation { joinCommunity(input: { communityId: "gardeners" }) { __typename } }',
    budget: 12,
    as: 'seedshop',
  },
  // Pending join requests are deleted with the account.
  { query: 'mutation { deleteUser(input: {}) { __typename } }', budget: 19, as: 'seedshop' },
  {
    query: 'mutation { eraseUser(input: { userId: "seedshop", content: REMOVE, reason: "Request 7" }) { __typename } }',
    budget: 118,
    as: 'admin',
  },
  { query: '{ userErasure(userId: "seedshop") { state } }', budget: 2, as: 'admin' },
  { query: 'mutation { exportUser(input: {}) { __typename } }', budget: 8 + AUDIT },
  {
    query: 'mutation { createRole(input: { roleId: "r", displayName: "R", permissions: [], rank: 1 }) { __typename } }',
    budget: 9,
    as: 'admin',
  },
  { query: 'mutation { updateRole(input: { roleId: "r", rank: 2 }) { __typename } }', budget: 9, as: 'admin' },
  { query: 'mutation { deleteRole(input: { roleId: "r" }) { __typename } }', budget: 9, as: 'admin' },
  { query: 'mutation { createCategory(input: { name: "Ponds" }) { __typename } }', budget: 5 + AUDIT, as: 'admin' },
  {
    query: 'mutation { updateCategory(input: { categoryId: "flowers", name: "Blossoms" }) { __typename } }',
    budget: 5 + AUDIT,
    as: 'admin',
  },
  {
    query: 'mutation { deleteCategory(input: { categoryId: "vegetables" }) { __typename } }',
    budget: 5 + AUDIT,
    as: 'admin',
  },
  { query: 'mutation { updateFile(input: { fileId: "avatar-alice", altText: "Me" }) { __typename } }', budget: 5 },
  { query: 'mutation { deleteFile(input: { fileId: "avatar-alice" }) { __typename } }', budget: 5 },
];

const gardeners = '/api/v3/communities/gardeners';
const orchard = '/api/v4/communities/orchard-keepers/join';

/** Calls of the REST writes of communities and users. None removes what another one needs. */
export const PEOPLE_CALLS: CallTable = {
  'POST /api/v3/communities': () => ({
    path: '/api/v3/communities',
    body: { displayName: 'Bee Keepers', userIds: ['bob', 'carol'], categoryIds: ['flowers'] },
    budget: 26,
  }),
  'PUT /api/v3/communities/:communityId': () => ({
    path: gardeners,
    body: { description: 'All of them' },
    budget: 11 + AUDIT,
  }),
  'DELETE /api/v3/communities/:communityId': () => ({
    as: 'admin',
    path: '/api/v3/communities/harvest-fair',
    budget: 12 + AUDIT,
  }),
  'POST /api/v3/communities/:communityId/join': () => ({ as: 'erin', path: `${gardeners}/join`, budget: 25 }),
  'DELETE /api/v3/communities/:communityId/leave': () => ({ as: 'leo', path: `${gardeners}/leave`, budget: 19 }),
  'POST /api/v3/communities/:communityId/users': () => ({
    path: `${gardeners}/users`,
    body: { userIds: ['seedshop'] },
    budget: 27 + AUDIT,
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
    budget: 19 + AUDIT,
  }),
  'POST /api/v4/communities/:communityId/join': () => ({ as: 'erin', path: orchard, budget: 12 }),
  'DELETE /api/v4/communities/:communityId/join': () => ({ as: 'bob', path: orchard, budget: 7 }),
  'GET /api/v4/communities/:communityId/join': () => ({ as: 'frank', path: orchard, budget: 8 }),
  'GET /api/v4/communities/:communityId/join/me': () => ({ as: 'carol', path: `${orchard}/me`, budget: 5 }),
  'POST /api/v4/communities/:communityId/join/approve': () => ({
    as: 'frank',
    path: `${orchard}/approve`,
    body: { userId: 'erin' },
    budget: 28 + AUDIT,
  }),
  'POST /api/v4/communities/:communityId/join/reject': () => ({
    as: 'frank',
    path: `${orchard}/reject`,
    body: { userId: 'heidi' },
    budget: 11 + AUDIT,
  }),
  'PUT /api/v3/users': () => ({
    path: '/api/v3/users',
    body: { userId: 'alice', displayName: 'Alice M.' },
    budget: 11,
  }),
  'GET /api/v3/users/:userId/isflagbyme': () => ({ path: '/api/v3/users/bob/isflagbyme', budget: 3 }),
  'POST /api/v4/me/flags/:userId': () => ({ path: '/api/v4/me/flags/bob', budget: 9 }),
  'DELETE /api/v4/me/flags/:userId': () => ({ path: '/api/v4/me/flags/bob', budget: 8 }),
  'POST /api/v4/me/user-blocks/:userId': () => ({ path: '/api/v4/me/user-blocks/kim', budget: 12 }),
  'GET /api/v4/me/user-blocks': () => ({ path: '/api/v4/me/user-blocks', budget: 6 }),
  'DELETE /api/v4/me/user-blocks/:userId': () => ({ path: '/api/v4/me/user-blocks/kim', budget: 9 }),
  'GET /api/v1/link-preview': () => ({
    path: `/api/v1/link-preview?url=${encodeURIComponent('https://page.invalid/')}`,
    budget: 2,
  }),
  'POST /api/v3/allowlists/verify': () => ({
    path: '/api/v3/allowlists/verify',
    body: { data: ['https://example.com'] },
    budget: 3,
  }),
  'POST /api/v3/blocklists/verify': () => ({
    path: '/api/v3/blocklists/verify',
    body: { data: ['weed'] },
    budget: 3,
  }),
  'GET /api/v3/communities/recommended': () => ({ path: '/api/v3/communities/recommended', budget: 10 }),
  'GET /api/v3/communities/top-trending': () => ({ path: '/api/v3/communities/top-trending', budget: 10 }),
  'POST /api/v4/me/following/:userId': () => ({ path: '/api/v4/me/following/mia', budget: 14 }),
  'DELETE /api/v4/me/following/:userId': () => ({ path: '/api/v4/me/following/mia', budget: 12 }),
  'POST /api/v4/me/followers/:userId': () => ({ path: '/api/v4/me/followers/heidi', budget: 11 }),
  'DELETE /api/v4/me/followers/:userId': () => ({ path: '/api/v4/me/followers/heidi', budget: 12 }),
  'GET /api/v4/me/followInfo': () => ({ path: '/api/v4/me/followInfo', budget: 3 }),
  'GET /api/v5/users/:userId/followInfo': () => ({ path: '/api/v5/users/bob/followInfo', budget: 4 }),
  'GET /api/v4/me/followers': () => ({ path: '/api/v4/me/followers', budget: 6 }),
  'GET /api/v4/me/following': () => ({ path: '/api/v4/me/following', budget: 6 }),
  'GET /api/v4/users/:userId/followers': () => ({ path: '/api/v4/users/bob/followers', budget: 6 }),
  'GET /api/v4/users/:userId/following': () => ({ path: '/api/v4/users/bob/following', budget: 6 }),
  'GET /api/v4/communities/join/requests': () => ({
    as: 'carol',
    path: '/api/v4/communities/join/requests',
    budget: 5,
  }),
  'GET /api/v3/files/:fileId': () => ({ path: '/api/v3/files/avatar-bob', budget: 2 }),
  'PUT /api/v3/files/:fileId': () => ({
    as: 'kim',
    path: '/api/v3/files/avatar-kim',
    body: { altText: 'Kim' },
    budget: 6,
  }),
  'DELETE /api/v3/files/:fileId': () => ({ as: 'kim', path: '/api/v3/files/avatar-kim', budget: 5 }),
};

/** Adds the key that the operations rotate and retire. */
export async function prepareKeys({ networks }: Collections): Promise<void> {
  const key = { keyId: 'spare', kind: 'api' as const, name: 'Spare', hash: 'spare', createdBy: null };
  await networks.updateOne(
    { networkId: 'default' },
    { $push: { keys: { ...key, createdAt: new Date(), expiresAt: null } } },
  );
}
