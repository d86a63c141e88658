import { CHAT } from '../chat-sample.ts';
import { AUDIT } from './audit.ts';

/** Budgets of the operations that no other test measures. Each includes the read of the session. */
export const OTHER_OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
  { query: '{ commentsByIds(commentIds: ["seedlings-bob", "dew-kim"]) { data author { displayName } } }', budget: 8 },
  { query: '{ communitiesByIds(communityIds: ["gardeners", "orchard-keepers"]) { displayName isJoined } }', budget: 3 },
  { query: '{ usersByIds(userIds: ["alice", "bob"]) { displayName avatar { fileUrl } } }', budget: 3 },
  { query: '{ postsByIds(postIds: ["seedlings", "tomatoes"]) { author { displayName } } }', budget: 5 },
  { query: '{ isPostFlagged(postId: "seedlings") }', budget: 5 },
  { query: '{ joinRequest(joinRequestId: "none") { status } }', budget: 2 },
  { query: '{ reaction(reactionId: "none") { reactionName } }', budget: 2 },
  { query: '{ file(fileId: "none") { fileUrl } }', budget: 2 },
  { query: '{ networkPins(first: 5) { edges { node { placement } } } }', budget: 2 },
  { query: '{ networkSettings { chat } }', budget: 2 },
  { query: '{ rateLimits { class limit remaining resetsIn } }', budget: 1 },
  // Session, entries, posts, communities, memberships, authors.
  {
    query: '{ search(query: "tom") { posts(first: 50) { edges { node { post { author { displayName } } } } } } }',
    budget: 6,
  },
  // Counts the entries of each word, in one command for each way to match.
  { query: '{ search(query: "the tom") { posts(first: 50) { edges { node { score } } } } }', budget: 8 },
  {
    query: '{ search(query: "garden") { communities(first: 50) { edges { node { community { isJoined } } } } } }',
    budget: 4,
  },
  { query: '{ search(query: "ali") { users(first: 50) { edges { node { user { displayName } } } } } }', budget: 3 },
  { query: '{ search(query: "water") { messages(first: 50) { edges { node { message { data } } } } } }', budget: 8 },
  // The process knows the end of the log, so only the session is read.
  { query: '{ eventCursor }', budget: 1 },
  { query: '{ nodes(ids: ["UG9zdDpzZWVkbGluZ3M", "VXNlcjpib2I"]) { id } }', budget: 5 },
  { query: `{ viewerFeedMarkersOfChannels(entityIds: ["${CHAT.channel}"]) { unreadCount } }`, budget: 6 },
  { query: `{ feedMarkersOfMessages(messageIds: ["${CHAT.message('i-water')}"]) { lastSegment } }`, budget: 6 },
  { query: `{ messageMarkers(messageIds: ["${CHAT.message('i-water')}"]) { readCount deliveredCount } }`, budget: 7 },
  { query: '{ category(categoryId: "vegetables") { name avatar { fileUrl } } }', budget: 3 },
  { query: '{ comment(commentId: "dew-kim") { data author { displayName } } }', budget: 6 },
  { query: '{ feed(feedId: "none") { postCount } }', budget: 3 },
  { query: '{ node(id: "UG9zdDpzZWVkbGluZ3M") { ... on Post { author { displayName } } } }', budget: 5 },
  {
    query: '{ posts(targetType: COMMUNITY, targetId: "gardeners") { edges { node { author { displayName } } } } }',
    budget: 5,
  },
  { query: '{ role(roleId: "member") { permissions } }', budget: 2 },
  {
    query: '{ stories(targetType: COMMUNITY, targetId: "gardeners") { edges { node { creator { displayName } } } } }',
    budget: 5,
  },
  {
    query:
      '{ storiesOfTargets(targets: [{ targetType: COMMUNITY, targetId: "gardeners" }, { targetType: USER, targetId: "bob" }]) { creator { displayName } } }',
    budget: 6,
  },
  {
    query:
      '{ storyTargetsByIds(targets: [{ targetType: COMMUNITY, targetId: "gardeners" }, { targetType: USER, targetId: "bob" }]) { lastStorySeenExpiresAt } }',
    budget: 6,
  },
  { query: '{ postViewers(postId: "compost") { edges { node { displayName } } } }', budget: 6 },
  { query: '{ storyViewers(storyId: "morning-dew") { edges { node { displayName } } } }', budget: 6 },
  { query: '{ story(storyId: "morning-dew") { data { text } creator { displayName } } }', budget: 5 },
  { query: `mutation { keepReading(input: { messageFeedIds: ["${CHAT.feed}"] }) { __typename } }`, budget: 8 },
  {
    query: `mutation { markDelivering(input: { messageFeedId: "${CHAT.feed}", messageId: "${CHAT.message('i-water')}" }) { __typename } }`,
    budget: 8,
  },
  {
    query: `mutation { markRead(input: { messageFeedId: "${CHAT.feed}", readToSegment: 99 }) { __typename } }`,
    budget: 12,
  },
  { query: `mutation { stopReading(input: { messageFeedId: "${CHAT.feed}" }) { __typename } }`, budget: 8 },
  {
    query:
      'mutation { removeChannelRole(input: { channelId: "gardeners-chat", role: "channel-moderator", userIds: ["carol"] }) { __typename } }',
    budget: 14,
  },
  {
    query:
      'mutation { unpinPost(input: { communityId: "gardeners", placement: DEFAULT, postId: "tomatoes" }) { __typename } }',
    budget: 8 + AUDIT,
  },
  { query: 'mutation { revokeSession(input: {}) { __typename } }', budget: 4, as: 'judy' },
];
