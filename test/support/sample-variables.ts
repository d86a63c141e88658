/** Variables with which each read document in the repository finds something in the sample network. */
export const SAMPLE_VARIABLES: { [operation: string]: Array<Record<string, unknown>> } = {
  GetPost: [{ postId: 'seedlings' }],
  PostPage: [{ communityId: 'gardeners' }],
};
