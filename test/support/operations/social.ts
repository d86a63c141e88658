/** Writes of posts, comments, stories and polls on the sample network, in this order; each counts the session's own read. */
export const SOCIAL_WRITES: Array<[query: string, budget: number, as: string]> = [
  [
    'mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "Hello #you" }, attachments: [{ type: IMAGE, fileId: "tomatoes-red" }] }) { ... on CreatePostPayload { post { postId } } } }',
    8,
    'bob',
  ],
  [
    'mutation { updatePost(input: { postId: "tomatoes", data: { text: "Hello" } }) { ... on UpdatePostPayload { post { postId } } } }',
    7,
    'bob',
  ],
  ['mutation { approvePost(input: { postId: "which-rootstock" }) { __typename } }', 9, 'frank'],
  ['mutation { declinePost(input: { postId: "which-rootstock" }) { __typename } }', 9, 'frank'],
  ['mutation { clearPostFlags(input: { postId: "miracle-fertiliser" }) { __typename } }', 11, 'alice'],
  ['mutation { viewPosts(input: { postIds: ["tomatoes", "compost"] }) { __typename } }', 8, 'bob'],
  ['mutation { deletePost(input: { postId: "tomatoes" }) { __typename } }', 13, 'bob'],
];
