import { type Row, rows } from './row.ts';

/** Posts, comments, reactions, stories, polls. */
export const SOCIAL: readonly Row[] = rows({
  post: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
    'that waits for review': '- . . . . + + + + .',
    'that is deleted': '- . . . . . + + + .',
    'on a user’s feed': '- + + + + + + + + .',
  },
  posts: {
    'of a public community': '- + + + . + + + + .',
    'of a private community': '- . + + . + + + + .',
    'of a user': '- + + + + + + + + .',
  },
  postsByIds: {
    'one in a public community': '- + + + . + + + + .',
    'one in a private community': '- . + + . + + + + .',
  },
  contentFeed: {
    'a post in a public community': '- + + + . + + + + .',
    'a post in a private community': '- . + + . + + + + .',
  },
  globalFeed: {
    'a post in a public community': '- . + + . + + . . .',
    'a post in a private community': '- . + + . + + . . .',
    'a post on the feed of `author`': '- . . . . + . . . .',
  },
  search: {
    'a post in a public community': '- + + + . + + + + .',
    'a post in a private community': '- . + + . + + + + .',
    'a public community': '- + + + + + + + + .',
    'a private community': '- . + + . + + + + .',
    'a private community that can be found, if requested': '- + + + . + + + + .',
    'a message in a public channel': '- + + + . + + + + .',
    'a message in a private channel': '- . + + . + + + + .',
  },
  isPostFlagged: {
    'a post in a public community': '- + + + . + + + + .',
    'a post in a private community': '- . + + . + + + + .',
  },
  createPost: {
    'in a public community': '- - + + - + + + + .',
    'in a private community': '- . + + . + + + + .',
    'where only moderators post': '- - - - - - + + + .',
    'on one’s own feed': '- + + + + + + + + +',
    'on another user’s feed': '- - - - - - - + + .',
  },
  updatePost: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on their feed': '- - - - - + - + + .',
  },
  deletePost: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on their feed': '- - - - - + - + + .',
    permanently: '- - - - . - + + + .',
  },
  approvePost: { 'of `author`, waiting for review': '- . . . . - + + + .' },
  declinePost: { 'of `author`, waiting for review': '- . . . . - + + + .' },
  flagPost: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  unflagPost: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  clearPostFlags: {
    'in a public community': '- - - - . - + + + .',
    'in a private community': '- . - - . - + + + .',
    'on a user’s feed': '- - - - - - - + + .',
  },
  recordViews: {
    'a post in a public community': '- + + + . + + + + .',
    'a story in a private community': '- . + + . + + + + .',
  },
  postViewers: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on their feed': '- - - - - + - + + .',
  },
  storyViewers: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on their profile': '- - - - - + - + + .',
  },
  pinPost: {
    'in a public community': '- - - - . - + + + .',
    'in a private community': '- . - - . - + + + .',
  },
  unpinPost: {
    'in a public community': '- - - - . - + + + .',
    'in a private community': '- . - - . - + + + .',
  },
  networkPins: { 'a post in a private community': '- . + + . + + + + .' },
  comment: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
    'on a user’s feed': '- + + + + + + + + .',
  },
  isCommentFlagged: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  comments: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  commentsByIds: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  createComment: {
    'on a post in a public community': '- + + + . + + + + .',
    'on a post in a private community': '- . + + . + + + + .',
    'on a user’s feed': '- + + + + + + + + .',
    'in reply, in a private community': '- . + + . + + + + .',
    'on content of the application': '- + + + + + + + + +',
  },
  updateComment: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on a user’s feed': '- - - - - + - + + .',
  },
  deleteComment: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on a user’s feed': '- - - - - + - + + .',
    permanently: '- - - - . - + + + .',
  },
  flagComment: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  unflagComment: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  clearCommentFlags: {
    'in a public community': '- - - - . - + + + .',
    'in a private community': '- . - - . - + + + .',
    'on a user’s feed': '- - - - - - - + + .',
  },
  reaction: {
    'on a post in a public community': '- + + + . + + + + .',
    'on a post in a private community': '- . + + . + + + + .',
  },
  reactions: {
    'on a post in a public community': '- + + + . + + + + .',
    'on a post in a private community': '- . + + . + + + + .',
    'on a message in a public channel': '- + + + . + + + + .',
    'on a message in a private channel': '- . + + . + + + + .',
  },
  story: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
    'on a profile': '- + + + + + + + + .',
    'of `author` that has expired': '- . . . . + + + + .',
    'of `author` that is deleted': '- . . . . . + + + .',
  },
  stories: {
    'of a public community': '- + + + . + + + + .',
    'of a private community': '- . + + . + + + + .',
    'of a user': '- + + + + + + + + .',
  },
  viewerStoryTargets: {
    'a public community': '- + + + . + + + + .',
    'a private community': '- . + + . + + + + .',
  },
  storiesOfTargets: {
    'a public community': '- + + + . + + + + .',
    'a private community': '- . + + . + + + + .',
    'a user': '- + + + + + + + + .',
  },
  storyTargetsByIds: {
    'a public community': '- + + + . + + + + .',
    'a private community': '- . + + . + + + + .',
    'a user': '- + + + + + + + + .',
  },
  createStory: {
    'in a public community': '- - - - - - + + + .',
    'in a private community': '- . - - . - + + + .',
    'on one’s own profile': '- + + + + + + + + +',
    'on another user’s profile': '- - - - - - - - - .',
  },
  deleteStory: {
    'of `author` in a public community': '- - - - . + + + + .',
    'of `author` in a private community': '- . - - . + + + + .',
    'of `author` on their profile': '- - - - - + - + + .',
    permanently: '- - - - . - + + + .',
  },
  markStorySeen: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  flagStory: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  unflagStory: {
    'in a public community': '- + + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  clearStoryFlags: {
    'in a public community': '- - - - . - + + + .',
    'in a private community': '- . - - . - + + + .',
    'on a profile': '- - - - - - - + + .',
  },
  poll: {
    'shown in a public community': '- + + + . + + + + .',
    'shown in a private community': '- . + + . + + + + .',
    'that no post shows': '- . . . . + . + + .',
  },
  createPoll: { 'a new one': '- + + + + + + + + +' },
  votePoll: {
    'shown in a public community': '- + + + . + + + + .',
    'shown in a private community': '- . + + . + + + + .',
  },
  changePollVote: {
    'shown in a public community': '- + + + . + + + + .',
    'shown in a private community': '- . + + . + + + + .',
  },
  unvotePoll: { 'one’s own vote, in a public community': '- + + + . + + + + .' },
  updatePoll: {
    'of `author` in a public community': '- - - - . + - + + .',
    'of `author` in a private community': '- . - - . + - + + .',
  },
  closePoll: {
    'of `author` in a public community': '- - - - . + - + + .',
    'of `author` in a private community': '- . - - . + - + + .',
  },
  deletePoll: {
    'of `author` in a public community': '- - - - . + - + + .',
    'of `author` in a private community': '- . - - . + - + + .',
  },
  addReaction: {
    'a post in a public community': '- + + + . + + + + .',
    'a post in a private community': '- . + + . + + + + .',
    'a message in a public channel': '- - + + . + + - - .',
    'a message in a private channel': '- . + + . + + - - .',
  },
  addLiveReactions: {
    'to a live room in a public community': '- + + + . + + + + .',
    'to a live room in a private community': '- . + + . + + + + .',
  },
  removeReaction: {
    'one’s own, on a post in a public community': '- + + + . + + + + .',
  },
});
