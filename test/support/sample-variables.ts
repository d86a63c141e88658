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
  PostPage: [{ communityId: 'gardeners' }],
};
