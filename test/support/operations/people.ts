/** Budgets of the writes of communities and users, as in `other.ts`; none takes away what another one needs. */
export const PEOPLE_OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
  { query: 'mutation { createCommunity(input: { displayName: "Bees" }) { __typename } }', budget: 22 },
  {
    query: 'mutation { updateCommunity(input: { communityId: "gardeners", displayName: "Gardens" }) { __typename } }',
    budget: 7,
  },
  { query: 'mutation { joinCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 18, as: 'erin' },
  { query: 'mutation { leaveCommunity(input: { communityId: "gardeners" }) { __typename } }', budget: 17, as: 'erin' },
  {
    query:
      'mutation { addCommunityMembers(input: { communityId: "gardeners", userIds: ["erin", "seedshop", "admin"] }) { __typename } }',
    budget: 18,
  },
  {
    query:
      'mutation { removeCommunityMembers(input: { communityId: "gardeners", userIds: ["erin", "seedshop"] }) { __typename } }',
    budget: 18,
  },
  {
    query:
      'mutation { banCommunityMembers(input: { communityId: "gardeners", userIds: ["kim", "leo", "mia"] }) { __typename } }',
    budget: 19,
  },
  {
    query:
      'mutation { unbanCommunityMembers(input: { communityId: "gardeners", userIds: ["kim", "leo", "mia"] }) { __typename } }',
    budget: 18,
  },
  {
    query: 'mutation { approveJoinRequest(input: { communityId: "orchard-keepers", userId: "bob" }) { __typename } }',
    budget: 19,
    as: 'frank',
  },
  {
    query: 'mutation { rejectJoinRequest(input: { communityId: "orchard-keepers", userId: "heidi" }) { __typename } }',
    budget: 6,
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
];
