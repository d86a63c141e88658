import type { CommandStartedEvent, Db, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { channelRecord, channelUserRecord, messageFeedRecord, messageRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord, communityUserRecord } from '../../src/sample/builders/community.ts';
import { commentRecord, postRecord, storyRecord } from '../../src/sample/builders/content.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext, type SampleContext } from '../../src/sample/context.ts';
import { createWriter, type Writer } from '../../src/sample/scale/writer.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Records of each kind, of which the filters below select one in a hundred of the first {@link SMALL}. */
const SMALL = 1_500;
const LARGE = 6_000;

let gateway: TestGateway;
let context: SampleContext;
beforeAll(async () => {
  // Records that a smaller network left in the cache would not be counted again.
  gateway = await startTestGateway({ CACHE_MB: '0' });
  context = createSampleContext({ networkId: gateway.networkId, now: new Date() });
  await fill(0, SMALL);
}, 300_000);
afterAll(() => gateway.close());

const isSelected = (index: number) => index < SMALL && index % 100 === 7;

/** Writes the records from one number to another. */
async function fill(from: number, to: number): Promise<void> {
  const { collections } = gateway.services.store;
  const writer = createWriter({ collections });
  const place = communityRecord(context, {
    ...{ communityId: 'crowd', displayName: 'Crowd', userId: 'alice', channelId: 'crowd', membersCount: LARGE },
  });
  const chat = channelRecord(context, {
    ...{ channelId: 'crowd', displayName: 'Crowd', type: 'community', memberCount: LARGE },
  });
  const feed = messageFeedRecord(context, { channel: chat, key: 'default', userId: 'alice' });
  const on = postRecord(context, {
    ...{
      postId: 'crowded',
      postedUserId: 'alice',
      targetType: 'community',
      targetId: 'crowd',
      data: { text: 'Crowd' },
    },
  });
  if (from === 0) {
    await writer.add('communities', [place]);
    await writer.add('channels', [chat]);
    await writer.add('messageFeeds', [feed]);
    await writer.add('posts', [on]);
    const user = userRecord(context, { userId: 'judy', displayName: 'Judy' });
    await writer.add('communityUsers', [
      communityUserRecord(context, { community: place, user, roles: ['member', 'community-moderator'] }),
    ]);
    await writer.add('channelUsers', [
      channelUserRecord(context, { channel: chat, user, roles: ['channel-member', 'channel-moderator'] }),
    ]);
  }
  for (let index = from; index < to; index++) await addRecords(writer, { index, place, chat, feed, on });
  await writer.flush();
}

interface Places {
  index: number;
  place: ReturnType<typeof communityRecord>;
  chat: ReturnType<typeof channelRecord>;
  feed: ReturnType<typeof messageFeedRecord>;
  on: ReturnType<typeof postRecord>;
}

async function addRecords(writer: Writer, { index, place, chat, feed, on }: Places): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 5) + index * 1_000);
  const displayName = isSelected(index) ? `The Quokka ${index}` : `Person ${index}`;
  const tags = isSelected(index) ? ['rare', 'other'] : index % 2 ? ['frequent'] : [];
  const flagCount = isSelected(index) ? 1 : 0;
  const user = userRecord(context, { userId: `user-${index}`, displayName, flagCount, createdAt });
  await writer.add('users', [user]);
  await writer.add('communityUsers', [communityUserRecord(context, { community: place, user, createdAt })]);
  await writer.add('channelUsers', [channelUserRecord(context, { channel: chat, user, createdAt })]);
  const names = { userId: 'alice', channelId: `channel-${index}`, displayName, tags, createdAt };
  const community = communityRecord(context, { communityId: `place-${index}`, ...names });
  const flagged = index % 200 === 7 ? { hasFlaggedPost: true } : { hasFlaggedComment: true };
  await writer.add('communities', [{ ...community, ...(isSelected(index) && flagged) }]);
  await writer.add('channels', [channelRecord(context, { ...names, type: 'standard' })]);
  const text = `${displayName} in the crowd`;
  const target = { targetType: 'community' as const, targetId: 'crowd', data: { text } };
  const post = postRecord(context, {
    ...{ postId: `post-${index}`, postedUserId: 'alice', tags, flagCount, createdAt },
    ...(isSelected(index) && { dataType: 'image' }),
    ...target,
  });
  await writer.add('posts', [post]);
  const comment = commentRecord(context, { commentId: `comment-${index}`, userId: 'alice', on, flagCount, createdAt });
  await writer.add('comments', [{ ...comment, segmentNumber: index + 1 }]);
  const message = messageRecord(context, { feed, name: `crowd-${index}`, userId: 'alice', tags, createdAt });
  const story = storyRecord(context, {
    ...{ storyId: `story-${index}`, userId: 'alice', createdAt },
    expiresAt: isSelected(index) ? new Date(Date.now() + 3_600_000) : createdAt,
    ...{ targetType: 'community' as const, targetId: 'crowd', dataType: 'image', data: {} },
  });
  await writer.add('stories', [{ ...story, flagCount }]);
  await writer.add('messages', [{ ...message, flagCount, segment: index + 1 }]);
}

const list = (field: string, node: string) => `{ ${field} { edges { node { ${node} } } } }`;
const within = (place: string, field: string, node: string) => `{ place: ${place} ${list(field, node)} }`;

const LISTS: ReadonlyArray<[name: string, query: string]> = [
  ...['DISPLAY_NAME', 'FIRST_CREATED', 'LAST_CREATED'].flatMap((sort): [string, string][] => [
    [`users by name, ${sort}`, list(`users(first: 10, keyword: "QUOKKA", sortBy: ${sort})`, 'userId')],
    [`flagged users, ${sort}`, list(`users(first: 10, filter: FLAGGED, sortBy: ${sort})`, 'userId')],
  ]),
  ...['DISPLAY_NAME', 'FIRST_CREATED', 'LAST_CREATED', 'MOST_MEMBERS'].flatMap((sort): [string, string][] => [
    [`communities by name, ${sort}`, list(`communities(first: 10, keyword: "e quok", sortBy: ${sort})`, 'communityId')],
    [
      `communities by tags, ${sort}`,
      list(`communities(first: 10, tags: ["rare", "none"], sortBy: ${sort})`, 'communityId'),
    ],
    [`flagged communities, ${sort}`, list(`communities(first: 10, hasFlag: true, sortBy: ${sort})`, 'communityId')],
  ]),
  ...['LAST_ACTIVITY', 'DISPLAY_NAME', 'FIRST_CREATED', 'LAST_CREATED'].flatMap((sort): [string, string][] => [
    [`channels by name, ${sort}`, list(`networkChannels(first: 10, keyword: "quokka", sortBy: ${sort})`, 'channelId')],
    [
      `channels by tags, ${sort}`,
      list(`networkChannels(first: 10, tags: ["rare", "none"], sortBy: ${sort})`, 'channelId'),
    ],
  ]),
  ...['FIRST_CREATED', 'LAST_CREATED', 'FIRST_UPDATED', 'LAST_UPDATED'].flatMap((sort): [string, string][] => {
    const ofTarget = `first: 10, targetType: COMMUNITY, targetId: "crowd", sortBy: ${sort}`;
    return [
      [`posts by tags, ${sort}`, list(`posts(${ofTarget}, filter: { tags: ["rare", "none"] })`, 'postId')],
      [`posts by kinds, ${sort}`, list(`posts(${ofTarget}, filter: { dataTypes: ["image", "video"] })`, 'postId')],
      [`flagged posts, ${sort}`, list(`posts(${ofTarget}, filter: { hasFlag: true })`, 'postId')],
      [`flagged posts everywhere, ${sort}`, list(`contentFeed(first: 10, hasFlag: true, sortBy: ${sort})`, 'postId')],
      [
        `flagged comments, ${sort}`,
        list(`comments(first: 10, referenceId: "crowded", filter: { hasFlag: true }, sortBy: ${sort})`, 'commentId'),
      ],
      [
        `flagged comments everywhere, ${sort}`,
        list(`comments(first: 10, filter: { hasFlag: true }, sortBy: ${sort})`, 'commentId'),
      ],
    ];
  }),
  ...['SEGMENT_DESC', 'SEGMENT_ASC'].map((sort): [string, string] => [
    `messages by tags, ${sort}`,
    within(
      'messageFeed(messageFeedId: "$feed")',
      `messages(first: 10, tags: ["rare", "none"], sortBy: ${sort})`,
      'messageId',
    ),
  ]),
  ...[true, false].map((oldestFirst): [string, string] => [
    `live stories among expired ones, oldest first: ${oldestFirst}`,
    list(`stories(first: 10, targetType: COMMUNITY, targetId: "crowd", oldestFirst: ${oldestFirst})`, 'storyId'),
  ]),
  [
    'members of a community by name',
    within('community(communityId: "crowd")', 'members(first: 10, search: "quokka")', 'userId'),
  ],
  [
    'members of a channel by name',
    within('channel(channelId: "crowd")', 'members(first: 10, search: "quokka")', 'userId'),
  ],
];

const search = (query: string, field: string, node: string) => within(`search(query: "${query}")`, field, node);
const IN_CROWD = 'targetType: COMMUNITY, targetId: "crowd"';

const SEARCHES: ReadonlyArray<[name: string, query: string]> = [
  ['a word in posts', search('quokka', 'posts(first: 10)', 'postId')],
  ['the beginning of a word in posts', search('quok', 'posts(first: 10)', 'postId')],
  ['a rare and a frequent word in posts', search('crowd quokka', 'posts(first: 10)', 'postId')],
  ['a rare and a frequent word in a community', search('crowd quokka', `posts(first: 10, ${IN_CROWD})`, 'postId')],
  ['the beginning of a rare word in a community', search('quok', `posts(first: 10, ${IN_CROWD})`, 'postId')],
  ['the beginning of a frequent word in a community', search('crow', `posts(first: 10, ${IN_CROWD})`, 'postId')],
  ['the beginning of a rare word in a channel', search('rar', 'messages(first: 10, channelId: "crowd")', 'messageId')],
  ['a frequent word in posts', search('crowd', 'posts(first: 10)', 'postId')],
  ['a word in names of users', search('quokka', 'users(first: 10)', 'userId')],
  ['a word in communities', search('quokka', 'communities(first: 10)', 'communityId')],
];

const queue = (args: string) => list(`moderationQueue(first: 10, ${args})`, 'itemId');

/** With the moderator: of the network, and of the crowd. */
const QUEUES: ReadonlyArray<[name: string, query: string, as: string]> = ['LAST_CREATED', 'FIRST_CREATED'].flatMap(
  (sort) =>
    [
      ['everything', ''],
      ['a community', 'filter: { communityId: "crowd" }'],
      ['a channel', 'filter: { channelId: "crowd" }'],
      ['an author', 'filter: { authorId: "alice" }'],
      ['comments', 'filter: { kinds: [COMMENT] }'],
    ].flatMap(([name, filter]): [string, string, string][] =>
      ['admin', 'judy'].map((as) => [`${name} of ${as}, ${sort}`, queue(`${filter} sortBy: ${sort}`), as]),
    ),
);

interface Cost {
  examined: number;
  found: number;
}

/** Documents that the database examines for a query. */
async function costOf(query: string, as = 'admin'): Promise<Cost> {
  const { client, db } = gateway.services.store;
  const commands: Document[] = [];
  const note = ({ command, databaseName }: CommandStartedEvent) => {
    if (databaseName === db.databaseName) commands.push(command);
  };
  await gateway.tokenOf(as);
  client.on('commandStarted', note);
  const document = query.replace('$feed', context.hex('channel', 'crowd'));
  const { data, errors } = await vi.waitUntil(async () => {
    commands.length = 0;
    const answer = await gateway.graphql(document, { as });
    // The time limit of a page may pass on a busy machine.
    return answer.errors?.[0]?.extensions?.code === 'UNAVAILABLE' ? null : answer;
  }, 120_000);
  client.off('commandStarted', note);
  expect(errors).toBeUndefined();
  const examined = await Promise.all(commands.flatMap(findsOf).map((find) => examinedBy(db, find)));
  return {
    examined: examined.reduce((sum, count) => sum + count, 0),
    found: JSON.stringify(data).match(/"node"/g)?.length ?? 0,
  };
}

/** The reads of a command as `find`, which both stores explain alike. */
function findsOf(command: Document): Document[] {
  if (command.find) {
    const { find, filter, sort = {}, limit = 0 } = command;
    return [{ find, filter, sort: sort instanceof Map ? Object.fromEntries(sort) : sort, limit }];
  }
  return command.aggregate ? findsIn(command.aggregate, command.pipeline) : [];
}

function findsIn(find: string, pipeline: Document[]): Document[] {
  const stage = (name: string) => pipeline.find((one) => one[name])?.[name];
  const others = pipeline.flatMap(({ $unionWith }) =>
    $unionWith ? findsIn($unionWith.coll, $unionWith.pipeline) : [],
  );
  return [{ find, filter: stage('$match') ?? {}, sort: stage('$sort') ?? {}, limit: stage('$limit') ?? 0 }, ...others];
}

async function examinedBy(db: Db, find: Document): Promise<number> {
  const { executionStats } = await db.command({ explain: find, verbosity: 'executionStats' });
  return Math.max(executionStats.totalDocsExamined, executionStats.totalKeysExamined);
}

describe('lists by name, tag or flag, searches, and the moderation queue', () => {
  const small = new Map<string, Cost>();
  beforeAll(async () => {
    for (const [name, query] of [...LISTS, ...SEARCHES]) small.set(name, await costOf(query));
    for (const [name, query, as] of QUEUES) small.set(name, await costOf(query, as));
    await fill(SMALL, LARGE);
  }, 600_000);

  test.each(LISTS)('read no more records when others are added: %s', async (name, query) => {
    const large = await costOf(query);
    expect(large.found).toBe(10);
    expect(small.get(name)!.found).toBe(10);
    expect(large.examined).toBeLessThanOrEqual(small.get(name)!.examined + 10);
    expect(large.examined).toBeLessThan(SMALL / 5);
  });

  test.each(SEARCHES)('read no more entries when others are added: %s', async (name, query) => {
    const large = await costOf(query);
    expect(large.found).toBe(10);
    expect(small.get(name)!.found).toBe(10);
    expect(large.examined).toBeLessThanOrEqual(small.get(name)!.examined + 10);
  });

  test.each(QUEUES)('read no more records of the queue when others are added: %s', async (name, query, as) => {
    const large = await costOf(query, as);
    expect(large.found).toBe(10);
    expect(small.get(name)!.found).toBe(10);
    expect(large.examined).toBeLessThanOrEqual(small.get(name)!.examined + 10);
    expect(large.examined).toBeLessThan(SMALL / 5);
  });

  test('return all records with a frequent part of a name, in order', async () => {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const { data } = await gateway.graphql<Document>(
        `{ users(first: 100, keyword: "rson"${after}) { edges { node { userId } } pageInfo { hasNextPage endCursor } } }`,
        { as: 'admin' },
      );
      found.push(...data.users.edges.map(({ node }: Document) => node.userId));
      if (!data.users.pageInfo.hasNextPage) break;
      after = `, after: "${data.users.pageInfo.endCursor}"`;
    }
    const expected = Array.from({ length: LARGE }, (_, index) => index).filter((index) => !isSelected(index));
    expect(found).toEqual(
      expected
        .map((index) => `Person ${index}`)
        .sort()
        .map((name) => name.replace('Person ', 'user-')),
    );
  });
});
