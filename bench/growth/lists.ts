import { schema } from '../../schema/index.ts';
import { type ListNames, listCalls } from '../../test/scaling/lists.ts';
import { benchContext } from '../data.ts';

const FEED = benchContext().hex('channel', 'crowd');
const message = (index: number) => benchContext().hex('message', `crowd-${index}`);

/** The records whose lists grow with the network. */
const NAMES: ListNames = {
  places: {
    Category: 'category(categoryId: "bench-category-0")',
    Channel: 'channel(channelId: "crowd")',
    Comment: 'comment(commentId: "crowd-comment-0")',
    Community: 'community(communityId: "crowd")',
    Message: `message(messageId: "${message(0)}")`,
    MessageFeed: `messageFeed(messageFeedId: "${FEED}")`,
    ModerationItem: 'moderationItem(kind: POST, itemId: "none")',
    Post: 'post(postId: "crowded")',
    Search: 'search(query: "quokka")',
    Story: 'story(storyId: "none")',
    User: 'user(userId: "bench-user-0")',
    WebhookEndpoint: 'webhookEndpoint(endpointId: "eeeeeeeeeeeeeeeeeeeeeeee")',
  },
  required: {
    'Query.posts': 'targetType: COMMUNITY, targetId: "crowd"',
    'Query.stories': 'targetType: COMMUNITY, targetId: "crowd"',
    'Query.postViewers': 'postId: "crowded"',
    'Query.storyViewers': 'storyId: "none"',
    'Query.reactions': 'referenceType: POST, referenceId: "crowded"',
    'Query.bans': 'filter: { kind: NETWORK }',
  },
  names: { parentId: '"crowd-comment-0"', referenceId: '"crowded"', channelId: '"crowd"' },
};

/** Lists of one story, endpoint or flagged record, which a network of any size has few of. */
const EXCLUDED = /storyId: "none"|webhookEndpoint\(|moderationItem\(/;

const list = (field: string, args: string, node: string) =>
  `{ ${field}(first: 20, ${args}) { edges { node { ${node} } } } }`;
const search = (query: string, field: string, args = '') =>
  `{ search(query: "${query}") { ${field}(first: 20${args && `, ${args}`}) { edges { cursor } } } }`;
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
  ]),
];

/** Documents of every list of the schema with required arguments and each sort order, and of filters and searches. */
export function growthDocuments(): string[] {
  const plain = listCalls(schema, NAMES)
    .filter(({ isPlain }) => isPlain)
    .map(({ paged }) => paged('first: 20'))
    .filter((document) => !EXCLUDED.test(document));
  return [...new Set([...plain, ...FILTERS])];
}
