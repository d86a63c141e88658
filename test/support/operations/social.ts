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
  ['mutation { recordViews(input: { postIds: ["tomatoes", "compost"] }) { __typename } }', 8, 'bob'],
  [
    'mutation { createComment(input: { referenceId: "tomatoes", data: { text: "Hello" }, mentionees: [{ userIds: ["alice"] }] }) { ... on CreateCommentPayload { comment { commentId } } } }',
    11,
    'bob',
  ],
  [
    'mutation { updateComment(input: { commentId: "tomatoes-carol", data: { text: "Hi" } }) { __typename } }',
    7,
    'carol',
  ],
  ['mutation { flagComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 11, 'bob'],
  ['mutation { unflagComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 13, 'bob'],
  ['mutation { flagComment(input: { commentId: "tomatoes-carol", reason: OTHERS }) { __typename } }', 11, 'bob'],
  ['mutation { clearCommentFlags(input: { commentId: "tomatoes-carol" }) { __typename } }', 12, 'alice'],
  ['mutation { deleteComment(input: { commentId: "tomatoes-carol" }) { __typename } }', 10, 'carol'],
  ['{ isCommentFlagged(commentId: "dew-kim") }', 5, 'alice'],
  [
    '{ reactions(referenceType: POST, referenceId: "seedlings", first: 20) { edges { node { reactionName user { displayName avatar { fileUrl } } } } } }',
    7,
    'alice',
  ],
  [
    '{ post(postId: "seedlings") { viewerCanEdit viewerCanDelete viewerCanModerate comments(first: 20) { edges { node { viewerCanEdit viewerCanDelete viewerCanModerate } } } } }',
    5,
    'alice',
  ],
  [
    'mutation { createStory(input: { targetType: COMMUNITY, targetId: "gardeners", dataType: TEXT, data: { text: "Hello" } }) { ... on CreateStoryPayload { story { storyId } } } }',
    6,
    'alice',
  ],
  [
    'mutation { markStorySeen(input: { storyId: "morning-dew" }) { ... on MarkStorySeenPayload { story { isSeenByViewer } } } }',
    12,
    'bob',
  ],
  ['mutation { flagStory(input: { storyId: "morning-dew" }) { __typename } }', 8, 'bob'],
  ['mutation { unflagStory(input: { storyId: "morning-dew" }) { __typename } }', 8, 'bob'],
  ['mutation { flagStory(input: { storyId: "morning-dew", reason: OTHERS }) { __typename } }', 8, 'bob'],
  ['mutation { clearStoryFlags(input: { storyId: "morning-dew" }) { __typename } }', 7, 'alice'],
  ['mutation { deleteStory(input: { storyId: "morning-dew" }) { __typename } }', 9, 'alice'],
  ['mutation { deletePost(input: { postId: "tomatoes" }) { __typename } }', 13, 'bob'],
];
