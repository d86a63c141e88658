/** Budgets that include the read of the session. */
export const POST_OPERATIONS: Array<[query: string, budget: number]> = [
  [
    '{ contentFeed(first: 50) { edges { node { reactors(first: 2) { edges { node { reactionName user { displayName } } } } } } } }',
    6,
  ],
  [
    '{ communities(first: 10) { edges { node { posts(first: 3) { edges { node { postId } } } pins(first: 3) { edges { node { placement } } } } } } }',
    6,
  ],
  [
    '{ poll(pollId: "shared-bed") { question isVoted answers { voteCount isVotedByUser } creator { displayName } files { fileUrl } } }',
    8,
  ],
  [
    '{ videoStream(streamId: "greenhouse-tour") { title streamer { displayName } thumbnail { fileUrl } childStreams { streamId } } }',
    8,
  ],
  [
    '{ room(roomId: "potting-bench") { title participantUsers { displayName } thumbnail { fileUrl } childRooms { roomId } } }',
    8,
  ],
  ['{ videoStreams(first: 50) { edges { node { title streamer { displayName } } } } }', 6],
  ['{ rooms(first: 50) { edges { node { title creator { displayName } } } } }', 6],
  ['{ contentFeed(first: 50) { edges { node { postId } } } }', 4],
  ['{ globalFeed(first: 50) { edges { node { postId } } } }', 6],
  [
    '{ globalFeed(first: 50) { edges { node { postId data { text } author { displayName avatar { fileUrl } } community { displayName isJoined } myReactions } } } }',
    9,
  ],
  [
    '{ contentFeed(first: 50) { edges { node { postId data { text } author { displayName avatar { fileUrl } } community { displayName isJoined } myReactions } } } }',
    7,
  ],
  [
    '{ contentFeed(first: 50) { edges { node { childPosts { poll { question isVoted } videoStream { title } room { title } } pins { placement } isFlaggedByViewer } } } }',
    12,
  ],
  ['{ contentFeed(first: 50) { edges { node { children(first: 5) { edges { node { postId } } } } } } }', 5],
  ['{ community(communityId: "gardeners") { posts(first: 50) { edges { node { postId } } } } }', 4],
  ['{ user(userId: "erin") { posts(first: 50) { edges { node { postId } } } } }', 3],
  [
    '{ community(communityId: "gardeners") { pins(first: 50) { edges { node { placement post { postId } pinner { displayName } } } } pinTarget { lastPinsUpdatedAt } } }',
    8,
  ],
  ['{ post(postId: "seedlings") { reactors(first: 50) { edges { node { reactionName user { displayName } } } } } }', 6],
  [
    '{ post(postId: "greenhouse") { reactors(first: 50) { edges { node { reactionName } } } children(first: 5) { edges { node { postId } } } } }',
    5,
  ],
  ['{ viewer { polls(first: 50) { edges { node { question isVoted } } } } }', 5],
];
