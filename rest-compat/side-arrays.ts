/** Side arrays of answers, main array first, by the kind of record that an answer is about. */

export const USER_ARRAYS = ['users', 'files'];

/** See `docs/interface.md#post-arrays`. */
export const POST_ARRAYS = [
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'videoStreamingChildren',
  'rooms',
  'roomChildrens',
  'polls',
];

/** See `docs/interface.md#pin-post`. */
export const PIN_ARRAYS = [
  'pinTargets',
  'pins',
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'polls',
];

export const COMMENT_ARRAYS = ['comments', 'commentChildren', 'communityUsers', 'users', 'roles', 'files'];

export const STORY_ARRAYS = ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'];

export const STORY_TARGET_ARRAYS = ['storyTargets', 'files', 'users', 'communities', 'communityUsers', 'categories'];

export const COMMUNITY_ARRAYS = [
  'communities',
  'communityUsers',
  'files',
  'users',
  'categories',
  'feeds',
  'joinRequests',
];

/**
 * See `docs/interface.md#channel-arrays`. Published clients store an answer key by key and link a member to a user that
 * they have already stored, so `users` and `files` come before `channelUsers`.
 */
export const CHANNEL_ARRAYS = ['channels', 'users', 'files', 'channelUsers', 'messagePreviews', 'messageFeedsInfo'];

export const MESSAGE_ARRAYS = ['messages', 'messageFeeds', 'users', 'files', 'reactions'];
