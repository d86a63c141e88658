/** Budgets of the operations of communities. One command reads the session. */
export const COMMUNITY_OPERATIONS: Array<[what: string, budget: number, query: string]> = [
  ['a page of communities', 3, '{ communities { edges { node { communityId isJoined } } } }'],
  // The rarest part of the name, and the communities with it.
  ['found by name', 5, '{ communities(keyword: "gard", sortBy: DISPLAY_NAME) { edges { node { communityId } } } }'],
  ['those joined', 4, '{ communities(filter: MEMBER) { edges { node { communityId } } } }'],
  ['those that the viewer can join', 3, '{ recommendedCommunities { edges { node { communityId } } } }'],
  ['those with recent activity', 5, '{ trendingCommunities { edges { node { communityId } } } }'],
  ["the viewer's communities", 3, '{ viewerCommunities { edges { node { communityId displayName } } } }'],
  [
    'members with their users, pictures and roles',
    7,
    '{ community(communityId: "gardeners") { members { edges { node { user { displayName avatar { fileUrl } } roleRecords { displayName } } } } } }',
  ],
  [
    'stories with their creators',
    6,
    '{ community(communityId: "gardeners") { stories { edges { node { storyId creator { displayName } files { fileUrl } } } } } }',
  ],
  [
    'comments with their authors',
    6,
    '{ post(postId: "seedlings") { comments { edges { node { author { displayName } } } } } }',
  ],
  [
    'a thread, replies to each comment',
    7,
    '{ comments(referenceId: "tomatoes") { edges { node { commentId replies { edges { node { commentId replies { edges { node { commentId } } } } } } } } } }',
  ],
  [
    'members of each of several communities',
    5,
    '{ communities { edges { node { members { edges { node { userId } } } } } } }',
  ],
  [
    'stories of each of several communities',
    5,
    '{ communities { edges { node { stories { edges { node { storyId } } } } } } }',
  ],
  [
    'communities of each category',
    4,
    '{ categories { edges { node { name communities { edges { node { communityId } } } } } } }',
  ],
  [
    'story targets',
    6,
    '{ viewerStoryTargets { edges { node { targetId lastStorySeenExpiresAt community { displayName } } } } }',
  ],
  ['categories', 2, '{ categories { edges { node { categoryId } } } }'],
  ['roles', 2, '{ roles(keyword: "moder") { edges { node { roleId rank } } } }'],
  ['users', 4, '{ users(keyword: "a") { edges { node { userId avatar { fileUrl } } } } }'],
  ['files', 2, '{ viewerFiles { edges { node { fileId } } } }'],
  [
    'requests to join',
    5,
    '{ viewerJoinRequests { edges { node { status } } } community(communityId: "gardeners") { joinRequests { edges { node { status } } } } }',
  ],
];
