/** The side arrays of an answer about posts: `docs/interface.md#post-arrays`. */
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
