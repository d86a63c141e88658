import { communityId, feedId, postId, viewerId } from '../data.ts';
import {
  HEAVY,
  HEAVY_FEED_OWNER,
  heavyCommentId,
  heavyMessageId,
  heavyPostId,
  heavyUserId,
  widePostId,
} from './heavy-records.ts';

/** One request over HTTP. */
export interface HttpRequest {
  name: string;
  path: string;
  /** Body of a POST; left out: a GET. */
  body?: object;
  signedIn: boolean;
}

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const list = (idOf: (index: number) => string, count = HEAVY) =>
  Array.from({ length: count }, (_, index) => idOf(index));
const HEAVY_IDS = JSON.stringify(list(heavyPostId));

/** Requests that were expensive once, as large as the limits let them be, and some that exceed them. */
export function knownRequests(): HttpRequest[] {
  const graphql = (name: string, query: string, variables: object = {}, signedIn = true): HttpRequest => ({
    name,
    path: '/graphql',
    body: { query, variables },
    signedIn,
  });
  const heavy = (fields: string) => `{ postsByIds(postIds: ${HEAVY_IDS}) { ${fields} } }`;
  const aliased = (field: string, count: number) => repeat(count, (index) => `a${index}: ${field}`);
  const posts = (inner: string) =>
    `posts(first: $n) { edges { node { ${inner === 'postId' ? inner : `author { ${inner} }`} } } }`;
  const pages = [1, 10, 25, 50, 100].map((size) =>
    graphql(
      `posts of authors of posts, default of a variable ${size}`,
      `query ($n: Int = ${size}) { user(userId: "${HEAVY_FEED_OWNER}") { ${posts(posts(posts('postId')))} } }`,
    ),
  );
  const leaves = [1, 5, 20, 50].flatMap((count) =>
    ['viewerCanEdit', 'isFlaggedByViewer', 'metadata', 'id', 'myReactions', 'createdAt'].map((field) =>
      graphql(`100 long posts, ${count} × ${field}`, heavy(aliased(field, count))),
    ),
  );
  const everything = [
    `postsByIds(postIds: ${HEAVY_IDS}) { metadata }`,
    `wide: postsByIds(postIds: ${JSON.stringify(list(widePostId))}) { metadata author { metadata } }`,
    `usersByIds(userIds: ${JSON.stringify(list(heavyUserId))}) { metadata }`,
    `commentsByIds(commentIds: ${JSON.stringify(list(heavyCommentId))}) { metadata author { metadata } }`,
    `messages(messageIds: ${JSON.stringify(list(heavyMessageId))}) { data metadata }`,
  ];
  return [
    ...pages,
    ...leaves,
    ...everything.map((field) => graphql(`long records: ${field.slice(0, 20)}`, `{ ${field} }`)),
    graphql('long records of five kinds', `{ ${everything.join(' ')} }`),
    graphql(
      'long records of five kinds, metadata left out',
      `{ ${everything.join(' ').replaceAll('metadata', '__typename')} }`,
    ),
    graphql(
      'pages of long posts, 20 aliases',
      `{ ${repeat(20, (index) => `a${index}: user(userId: "${HEAVY_FEED_OWNER}") { posts(first: ${100 - index}) { edges { node { postId } } } }`)} }`,
    ),
    graphql(
      'pages of long posts, passed over',
      `{ ${repeat(10, (index) => `a${index}: user(userId: "${HEAVY_FEED_OWNER}") { posts(first: 1, skip: ${1_000 - index}) { edges { node { postId } } } }`)} }`,
    ),
    graphql(
      '100 posts, 50 aliases',
      `query ($ids: [String!]!) { ${aliased('postsByIds(postIds: $ids) { postId author { userId } }', 50)} }`,
      {
        ids: list((index) => postId(index)),
      },
    ),
    graphql(
      'the comments of 100 posts',
      `{ postsByIds(postIds: ${HEAVY_IDS}) { comments(first: 50) { edges { node { commentId } } } } }`,
    ),
    graphql('100 long posts, text', heavy('data { text } metadata')),
    graphql('1,400 equal fields', `{ viewer { ${repeat(1_400, () => 'userId')} } }`, {}, false),
    graphql('140 equal fields', `{ viewer { ${repeat(140, () => 'userId')} } }`, {}, false),
    graphql('240 equal records', `{ ${repeat(240, () => 'viewer { userId }')} }`, {}, false),
    graphql('190 equal records', `{ ${repeat(190, () => 'viewer { userId }')} }`, {}, false),
    graphql(
      'fragments that spread each other',
      `{ viewer { ...F0 } } ${repeat(90, (one) => `fragment F${one} on User { ${repeat(60, (other) => `...F${(one + other + 1) % 90}`)} }`)}`,
      {},
      false,
    ),
    graphql(
      'fragments side by side',
      `{ viewer { ${repeat(99, (index) => `...F${index}`)} } } ${repeat(99, (index) => `fragment F${index} on User { ${aliased('userId', 12).replaceAll('a', `f${index}a`)} }`)}`,
      {},
      false,
    ),
    graphql(
      '60,000 unknown fields in a variable',
      'mutation ($m: UpdateUserInput!) { updateUser(input: $m) { __typename } }',
      { m: Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x${index}`, 1])) },
      false,
    ),
    ...[4_900, 9_900].map((count) =>
      graphql(
        `${count.toLocaleString('en')} unknown fields in a variable`,
        'mutation ($m: UpdateUserInput!) { updateUser(input: $m) { __typename } }',
        { m: Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1])) },
        false,
      ),
    ),
    graphql(
      '4,900 unknown variables',
      '{ viewer { userId } }',
      Object.fromEntries(Array.from({ length: 4_900 }, (_, index) => [`x${index}`, 1])),
      false,
    ),
    graphql('40 aliases of __schema', `{ ${aliased('__schema { types { name fields { name } } }', 40)} }`, {}, false),
    graphql('6,000 unknown names', `{ ${repeat(5_900, (index) => `u${index}`)} }`, {}, false),
    graphql('190 unknown names', `{ ${repeat(190, (index) => `userr${index}`)} }`, {}, false),
    graphql('a document of 1 MB', `{ viewer { userId } } #${'x'.repeat(1_000_000)}`, {}, false),
    graphql(
      '5,900 tokens of arguments',
      `{ posts(${repeat(1_900, (index) => `a${index}: 1`)}) { __typename } }`,
      {},
      false,
    ),
    graphql(
      '5,900 tokens of an input object',
      `mutation { updateUser(input: { ${repeat(1_900, (index) => `a${index}: 1`)} }) { __typename } }`,
      {},
      false,
    ),
    graphql('directives', `{ viewer { userId ${repeat(950, () => '@include(if: true)')} } }`, {}, false),
    graphql('network settings, 50 aliases', `{ ${aliased('networkSettings { __typename }', 50)} }`, {}, false),
    graphql(
      'introspection',
      '{ __schema { types { name description fields(includeDeprecated: true) { name description args { name description type { name ofType { name ofType { name ofType { name } } } } defaultValue } type { name ofType { name ofType { name ofType { name } } } } } enumValues { name description } inputFields { name description } interfaces { name } possibleTypes { name } } directives { name args { name } } } }',
      {},
      false,
    ),
    graphql(
      'long metadata in 10 mutations',
      `mutation ($m: JSONObject) { ${repeat(10, (index) => `m${index}: updateUser(input: { userId: "${viewerId(0)}", metadata: $m }) { __typename }`)} }`,
      { m: { text: 'y'.repeat(60_000) } },
    ),
    graphql(
      '24 reactions',
      `mutation { ${repeat(24, (index) => `m${index}: addReaction(input: { referenceType: POST, referenceId: "heavy-post-${index}", reactionName: "r${index}" }) { __typename }`)} }`,
    ),
    ...rest().flatMap((request) => [request, { ...request, name: `${request.name}, no token`, signedIn: false }]),
  ];
}

function rest(): HttpRequest[] {
  const paths = [
    `/api/v4/posts?targetType=community&targetId=${communityId(0)}&options[limit]=100`,
    `/api/v4/posts?targetType=community&targetId=${communityId(1)}&options[limit]=100`,
    '/api/v3/content-feeds?options[limit]=100',
    '/api/v4/me/global-feeds?limit=100',
    '/api/v3/users?options[limit]=100',
    '/api/v3/communities?options[limit]=100',
    `/api/v3/communities/${communityId(0)}/users?options[limit]=100`,
    '/api/v3/channels?options[limit]=100',
    `/api/v4/user-feeds/${HEAVY_FEED_OWNER}?options[limit]=100`,
    `/api/v4/user-feeds/${HEAVY_FEED_OWNER}?options[limit]=100&options[skip]=1000`,
    `/api/v3/comments?referenceId=${heavyPostId(0)}&referenceType=post&options[limit]=100`,
    `/api/v5/messages?messageFeedId=${feedId(0, 'talk')}&options[limit]=100`,
    `/api/v3/posts/list?${list((index) => `postIds[]=${widePostId(index)}`).join('&')}`,
    `/api/v3/comments/list?${list((index) => `commentIds[]=${heavyCommentId(index)}`).join('&')}`,
    `/api/v5/messages/list?${list((index) => `messageIds[]=${heavyMessageId(index)}`).join('&')}`,
    `/api/v3/channels/list?${list((index) => `channelIds[]=bench-channel-${index}`).join('&')}`,
    '/realtime/message.created',
    '/realtime/post.created',
    `/api/v3/communities?${'a[b][c]=d&'.repeat(1_500)}`,
  ];
  return paths.map((path) => ({ name: `GET ${path.slice(0, 100)}`, path, signedIn: true }));
}
