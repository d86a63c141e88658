import { CHAT_VARIABLES } from './chat-sample.ts';

/** Variables with which each read document in the repository finds something in the sample network. */
export const SAMPLE_VARIABLES: { [operation: string]: Array<Record<string, unknown>> } = {
  ...CHAT_VARIABLES,
  GetPost: [{ postId: 'seedlings' }, { postId: 'crop-poll' }, { postId: 'greenhouse' }, { postId: 'potting' }],
  ContentFeeds: [
    { first: 20, isDeleted: null },
    { last: 3, hasFlag: true },
  ],
  IsPostFlagged: [{ postId: 'seedlings' }],
  ListPosts: [{ postIds: ['seedlings', 'grafting'] }],
  QueryPosts: [{ targetType: 'COMMUNITY', targetId: 'gardeners', filter: { isDeleted: null } }],
  PinnedPosts: [{ communityId: 'gardeners' }, { communityId: 'gardeners', placement: 'DEFAULT' }],
  SocialPages: [{ communityId: 'gardeners' }],
  QueryComments: [
    { referenceId: 'tomatoes', sortBy: 'FIRST_CREATED' },
    { sortBy: 'LAST_UPDATED', filter: { hasFlag: true } },
  ],
  GetComment: [{ commentId: 'tomatoes-carol' }],
  ListComments: [{ commentIds: ['tomatoes-carol', 'grafting-grace'] }],
  QueryCommunities: [{ filter: 'ALL', sortBy: 'DISPLAY_NAME' }],
  OwnJoinRequest: [{ communityId: 'gardeners' }],
  CommunityJoinRequests: [{ communityId: 'gardeners', status: 'PENDING', first: 5 }],
  GetCommunity: [{ communityId: 'gardeners' }],
  ListCommunities: [{ communityIds: ['gardeners', 'orchard-keepers'] }],
  CommunityUsers: [{ communityId: 'gardeners', memberships: ['MEMBER'], sortBy: 'DISPLAY_NAME' }],
  QueryCategories: [{ sortBy: 'NAME' }],
  GetCategory: [{ categoryId: 'flowers' }],
  QueryUsers: [{ filter: 'ALL', sortBy: 'DISPLAY_NAME' }],
  GetUser: [{ userId: 'bob' }],
  ListUsers: [{ userIds: ['bob', 'oscar'] }],
  QueryRoles: [{ sortBy: 'FIRST_CREATED' }],
  GetRole: [{ roleId: 'member' }],
  QueryStories: [{ targetType: 'COMMUNITY', targetId: 'gardeners', oldestFirst: true }],
  GetStory: [{ storyId: 'morning-dew' }],
  GlobalStoryTargets: [{ seenState: 'ALL' }],
  PostPage: [{ communityId: 'gardeners' }],
};
