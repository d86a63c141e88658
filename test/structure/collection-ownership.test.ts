import { expect, test } from 'vitest';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { readSource, sourceFiles } from './import-graph.ts';

/** The one folder of `src` that reads and writes each collection through the driver. */
const OWNERS: { [Name in CollectionName]: string } = {
  networks: 'domain/network',
  users: 'domain/user',
  userBlocks: 'domain/user',
  follows: 'domain/user',
  contentRules: 'domain/content-rules',
  sessions: 'domain/session',
  pushDevices: 'domain/session',
  roles: 'domain/role',
  files: 'domain/file',
  communities: 'domain/community',
  communityUsers: 'domain/community',
  categories: 'domain/category',
  joinRequests: 'domain/community',
  pins: 'domain/post',
  pinTargets: 'domain/post',
  posts: 'domain/post',
  comments: 'domain/comment',
  commentCounters: 'domain/comment',
  reactions: 'domain/reaction',
  flags: 'domain/flag',
  views: 'domain/view',
  stories: 'domain/story',
  storyTargets: 'domain/story',
  storySeens: 'domain/story',
  polls: 'domain/poll',
  pollVotes: 'domain/poll',
  videoStreams: 'domain/video-stream',
  rooms: 'domain/room',
  channels: 'domain/channel',
  channelUsers: 'domain/channel',
  distinctConversations: 'domain/channel',
  messageFeeds: 'domain/message-feed',
  messages: 'domain/message',
  userFeedMarkers: 'domain/marker',
  userMarkers: 'domain/marker',
  mqttSessions: 'domain/mqtt-session',
  searchEntries: 'domain/search-index',
  keyedWrites: 'limits',
  events: 'events',
  webhookEndpoints: 'domain/webhook',
  webhookDeliveries: 'domain/webhook',
  webhookBodies: 'domain/webhook',
  webhookPositions: 'webhooks',
  auditEntries: 'domain/audit',
  userErasures: 'erasure',
  rateCounters: 'limits',
  userExports: 'export',
};

const names = Object.keys(INDEXES);

/** Names of the collections that a source text takes from the store, by property or by destructuring. */
function collectionsIn(source: string): string[] {
  const destructured = [...source.matchAll(/\{([^{}]*)\}\s*[=:]\s*[\w.]*\b[cC]ollections\b/g)].flatMap(([, fields]) =>
    fields!.split(',').map((field) => field.split(':')[0]!.trim()),
  );
  const accessed = [...source.matchAll(/\bcollections[?!]?\.(\w+)/g)].map(([, name]) => name!);
  return [...new Set([...destructured, ...accessed])].filter((name) => names.includes(name));
}

test('recognizes the ways in which code takes a collection from the store', () => {
  const source = `
    const { posts, flags: marked } = context.store.collections;
    await context.store.collections.users.findOne({});
    export async function find({ events }: Collections) {}
  `;
  expect(collectionsIn(source).sort()).toEqual(['events', 'flags', 'posts', 'users']);
});

test("a resource never reads or writes another resource's collection", () => {
  const inDomain = sourceFiles.filter((path) => path.startsWith('src/domain/'));
  const reached = inDomain.flatMap((path) =>
    collectionsIn(readSource(path))
      .filter((name) => !path.startsWith(`src/${OWNERS[name as CollectionName]}/`))
      .map((name) => `${path} -> ${name}`),
  );
  expect(reached).toEqual([]);
});

test('the schema takes no collection from the store', () => {
  const inSchema = sourceFiles.filter((path) => path.startsWith('schema/'));
  expect(inSchema.filter((path) => collectionsIn(readSource(path)).length > 0)).toEqual([]);
});
