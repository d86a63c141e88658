import { schema } from '../../schema/index.ts';
import { type ListNames, listCalls } from '../../test/scaling/lists.ts';
import { benchContext } from '../data.ts';
import { AUTHOR, ENDPOINT_ID, JOINER, OWNER } from './crowd.ts';

/** A list or search, and the user who reads it. */
export interface GrowthDocument {
  name: string;
  query: string;
  userId: string;
  /** Whether no record matches it. */
  isEmpty: boolean;
}

const FEED = benchContext().hex('channel', 'crowd');
const MESSAGE = benchContext().hex('message', 'crowd');
const NEWEST_MESSAGE = benchContext().hex('message', 'crowd-newest');

/** The records whose lists grow with the network. */
const NAMES: ListNames = {
  places: {
    Category: 'category(categoryId: "crowd-category-0")',
    Channel: 'channel(channelId: "crowd")',
    Comment: 'comment(commentId: "crowd-comment")',
    Community: 'community(communityId: "crowd")',
    Message: `message(messageId: "${MESSAGE}")`,
    MessageFeed: `messageFeed(messageFeedId: "${FEED}")`,
    ModerationItem: 'moderationItem(kind: POST, itemId: "crowded")',
    Post: 'post(postId: "crowded")',
    Search: 'search(query: "quokka")',
    Story: 'story(storyId: "crowd-story")',
    User: `user(userId: "${AUTHOR}")`,
    WebhookEndpoint: `webhookEndpoint(endpointId: "${ENDPOINT_ID}")`,
  },
  required: {
    'Query.posts': 'targetType: COMMUNITY, targetId: "crowd"',
    'Query.stories': 'targetType: COMMUNITY, targetId: "crowd"',
    'Query.postViewers': 'postId: "crowded"',
    'Query.storyViewers': 'storyId: "crowd-story"',
    'Query.reactions': 'referenceType: POST, referenceId: "crowded"',
    'Query.bans': 'filter: { kind: NETWORK }',
  },
  names: { parentId: '"crowd-comment"', referenceId: '"crowded"', channelId: '"crowd"' },
};

/** Lists of which every user has their own: {@link JOINER} reads them. */
const OWN =
  /^\{ (viewerChannels|viewerCommunities|viewerBlockedUsers|globalFeed|user\(.*?\) \{ (channels|communities|following)\()/;
/** Lists that depend on what a user without a role joined, followed and blocked. */
const FILTERED = /^\{ (networkChannels|communities|contentFeed|comments|posts|trendingCommunities)\(/;
const ofJoiner = (query: string) => query.replace(`user(userId: "${AUTHOR}")`, `user(userId: "${JOINER}")`);

const list = (field: string, args: string, node: string) =>
  `{ ${field}(first: 20, ${args}) { edges { node { ${node} } } } }`;
const search = (query: string, field: string, args = '') =>
  `{ search(query: "${query}") { ${field}(first: 20${args && `, ${args}`}) { edges { cursor } } } }`;
const UNREAD_SUM = '{ viewerMarker { node: unreadCount } }';
const IN_CROWD = 'targetType: COMMUNITY, targetId: "crowd"';

/** Filters that select few of many records, or none. */
const FILTERS: readonly string[] = [
  ...['rare', 'none'].flatMap((tag) => [
    list('communities', `tags: ["${tag}"]`, 'communityId'),
    list('networkChannels', `tags: ["${tag}"]`, 'channelId'),
    list('posts', `${IN_CROWD}, filter: { tags: ["${tag}"] }`, 'postId'),
    `{ messageFeed(messageFeedId: "${FEED}") { messages(first: 20, tags: ["${tag}"]) { edges { cursor } } } }`,
  ]),
  ...['quokka', 'nobody'].flatMap((name) => [
    list('users', `keyword: "${name}"`, 'userId'),
    list('communities', `keyword: "${name}"`, 'communityId'),
    list('networkChannels', `keyword: "${name}"`, 'channelId'),
    `{ community(communityId: "crowd") { members(first: 20, search: "${name}") { edges { cursor } } } }`,
    `{ channel(channelId: "crowd") { members(first: 20, search: "${name}") { edges { cursor } } } }`,
  ]),
  ...['quokka', 'quok', 'crowd', 'crowd quokka', 'nobody'].flatMap((words) => [
    search(words, 'posts'),
    search(words, 'posts', IN_CROWD),
    search(words, 'users'),
    search(words, 'communities'),
    search(words, 'messages', 'channelId: "crowd"'),
  ]),
  // A page ends after 2,000 read positions, so the first one may be empty.
  `{ message(messageId: "${NEWEST_MESSAGE}") { readUsers(first: 20) { edges { cursor } pageInfo { hasNextPage } } } }`,
  // A list without pages: `node` shows that it is not empty.
  ...[false, true].map(
    (oldestFirst) => `{ storiesOfTargets(targets: [{ ${IN_CROWD} }], oldestFirst: ${oldestFirst}) { node: storyId } }`,
  ),
  // Not a list, but a sum over the channels of a user.
  UNREAD_SUM,
  '{ bans(first: 20, filter: { kind: COMMUNITY, communityId: "crowd" }) { edges { cursor } } }',
  '{ bans(first: 20, filter: { kind: CHANNEL, channelId: "crowd" }) { edges { cursor } } }',
];

/** Matches no record: the tag or name, or a word that no name contains. */
const EMPTY = /"none"|"nobody"|query: "crowd"\) \{ users|query: "crowd quokka"\) \{ (users|communities)/;

/** Documents of every list of the schema that has pages, in each sort order, and of filters, searches and sums. */
export function growthDocuments(): GrowthDocument[] {
  const plain = listCalls(schema, NAMES)
    .filter(({ isPlain }) => isPlain)
    .map(({ paged }) => paged('first: 20'));
  const all = [...new Set([...plain, ...FILTERS])];
  const isOfAuthor = (query: string) => /\{ following\(/.test(query);
  return [
    ...all.filter((query) => !OWN.test(query) || isOfAuthor(query)).map((query) => documentOf(query, OWNER)),
    ...all
      .filter((query) => OWN.test(query) || FILTERED.test(query))
      .map((query) => documentOf(ofJoiner(query), JOINER)),
    documentOf(search('crowd', 'messages'), JOINER),
    documentOf(UNREAD_SUM, JOINER),
  ];
}

const documentOf = (query: string, userId: string): GrowthDocument => ({
  name: userId === OWNER ? query : `${query} of a user with many memberships`,
  query,
  userId,
  isEmpty: EMPTY.test(query),
});
