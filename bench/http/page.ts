/** A screen of a feed: 20 posts with their authors, counts, the viewer's reactions and the latest comments. */
export const PAGE_DOCUMENT = `
query Page($communityId: String!) {
  community(communityId: $communityId) {
    communityId
    displayName
    posts(first: 20) {
      edges {
        node {
          postId
          data { title text }
          createdAt
          reactionsCount
          commentsCount
          reactions
          myReactions
          author { ...Author }
          latestComments {
            commentId
            data
            createdAt
            reactionsCount
            myReactions
            author { ...Author }
          }
        }
      }
      pageInfo { hasNextPage }
    }
  }
}
fragment Author on User { userId displayName avatar { fileUrl } }
`;
