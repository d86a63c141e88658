/** Budgets of the writes of communities and users, as in `other.ts`. None removes what another one needs. */
export const PEOPLE_OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
  { query: 'mutation { createCommunity(input: { displayName: "Bees" }) { __typename } }', budget: 22 },
  {
    query: 'mutation { updateCommunity(input: { communityId: "gardeners", displayName: "Gardens" }) { __typename } }',
    budget: 8,
  },
  { query: 'mutation { joinCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 22, as: 'erin' },
  { query: 'mutation { leaveCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 17, as: 'erin' },
  {
    query:
      'mutation { addCommunityMembers(input: { communityId: "gardeners", userIds: ["erin", "seedshop", "admin"] }) { __typename } }',
    budget: 25,
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
    budget: 24,
    as: 'frank',
  },
  {
    query: 'mutation { rejectJoinRequest(input: { communityId: "orchard-keepers", userId: "heidi" }) { __typename } }',
    budget: 7,
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
    budget: 8,
    as: 'admin',
  },
  { query: '{ isUserFlagged(userId: "bob") }', budget: 3 },
  { query: 'mutation { updateUser(input: { displayName: "Alice M." }) { __typename } }', budget: 9 },
  { query: 'mutation { flagUser(input: { userId: "kim" }) { __typename } }', budget: 7 },
  { query: 'mutation { unflagUser(input: { userId: "kim" }) { __typename } }', budget: 7 },
  { query: 'mutation { blockUser(input: { userId: "kim" }) { __typename } }', budget: 6 },
  { query: 'mutation { blockUser(input: { userId: "mia" }) { __typename } }', budget: 6, as: 'kim' },
  { query: '{ viewerBlockedUsers { edges { node { userId } } } }', budget: 3 },
  { query: 'mutation { unblockUser(input: { userId: "kim" }) { __typename } }', budget: 6 },
  { query: 'mutation { clearUserFlags(input: { userId: "kim" }) { __typename } }', budget: 6, as: 'admin' },
  { query: 'mutation { banUser(input: { userId: "leo" }) { __typename } }', budget: 8, as: 'admin' },
  { query: 'mutation { unbanUser(input: { userId: "leo" }) { __typename } }', budget: 7, as: 'admin' },
  {
    query: 'mutation { addUserRoles(input: { userId: "leo", roleIds: ["moderator"] }) { __typename } }',
    budget: 10,
    as: 'admin',
  },
  {
    query: 'mutation { removeUserRoles(input: { userId: "leo", roleIds: ["moderator"] }) { __typename } }',
    budget: 10,
    as: 'admin',
  },
  { query: 'mutation { assignNetworkRoles(input: { userId: "leo", roleIds: ["x"] }) { __typename } }', budget: 2 },
  { query: 'mutation { deleteUser(input: {}) { __typename } }', budget: 16, as: 'erin' },
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
  { query: 'mutation { deleteUser(input: {}) { __typename } }', budget: 17, as: 'seedshop' },
  {
    query: 'mutation { createRole(input: { roleId: "r", displayName: "R", permissions: [], rank: 1 }) { __typename } }',
    budget: 9,
    as: 'admin',
  },
  { query: 'mutation { updateRole(input: { roleId: "r", rank: 2 }) { __typename } }', budget: 9, as: 'admin' },
  { query: 'mutation { deleteRole(input: { roleId: "r" }) { __typename } }', budget: 9, as: 'admin' },
  { query: 'mutation { createCategory(input: { name: "Ponds" }) { __typename } }', budget: 4, as: 'admin' },
  {
    query: 'mutation { updateCategory(input: { categoryId: "flowers", name: "Blossoms" }) { __typename } }',
    budget: 5,
    as: 'admin',
  },
  { query: 'mutation { deleteCategory(input: { categoryId: "vegetables" }) { __typename } }', budget: 5, as: 'admin' },
  { query: 'mutation { updateFile(input: { fileId: "avatar-alice", altText: "Me" }) { __typename } }', budget: 5 },
  { query: 'mutation { deleteFile(input: { fileId: "avatar-alice" }) { __typename } }', budget: 5 },
];
