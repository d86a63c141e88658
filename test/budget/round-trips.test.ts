import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
/** The last segment of the feed that all members have read. */
let lastRead: number;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT: '0' });
  await Promise.all(['alice', 'bob', 'carol'].map((userId) => gateway.tokenOf(userId)));
  const feed = await gateway.services.store.collections.messageFeeds.findOne({
    networkId: gateway.networkId,
    messageFeedId: CHAT.feed,
  });
  lastRead = feed!.lastSegment;
  for (let count = 0; count < 10; count++) {
    await gateway.graphql(mutation('sendMessage', `messageFeedId: "${CHAT.feed}", data: { text: "${count}" }`), {
      as: 'carol',
    });
  }
});
afterAll(() => gateway.close());

const mutation = (operation: string, input: string, selection = '__typename') =>
  `mutation { ${operation}(input: { ${input} }) { __typename ... on ${operation.charAt(0).toUpperCase()}${operation.slice(1)}Payload { ${selection} } } }`;

interface Budget {
  operation: string;
  /** The input of a call; each call has another number. */
  input: (call: number) => string;
  selection?: string;
  as: string;
  /** Commands, with the one that reads the session. */
  commands: number;
  /** Round trips in sequence: commands that are in flight together count as one. */
  roundTrips: number;
}

const WRITES: readonly Budget[] = [
  {
    operation: 'markRead',
    input: (call) => `messageFeedId: "${CHAT.feed}", readToSegment: ${lastRead + call}`,
    selection: 'userFeedMarkers { readToSegment unreadCount }',
    as: 'bob',
    // The last one counts deleted messages.
    commands: 7,
    roundTrips: 6,
  },
  {
    operation: 'createPost',
    input: (call) => `targetType: COMMUNITY, targetId: "gardeners", data: { text: "Post ${call}" }`,
    selection: 'post { postId }',
    as: 'bob',
    commands: 5,
    roundTrips: 4,
  },
  {
    operation: 'addReaction',
    input: (call) => `referenceType: POST, referenceId: "seedlings", reactionName: "new-${call}"`,
    selection: 'reaction { reactionId }',
    as: 'bob',
    commands: 7,
    roundTrips: 5,
  },
  {
    operation: 'removeReaction',
    input: (call) => `referenceType: POST, referenceId: "seedlings", reactionName: "new-${call}"`,
    as: 'bob',
    commands: 8,
    roundTrips: 6,
  },
  {
    operation: 'addReaction',
    input: (call) => `referenceType: MESSAGE, referenceId: "${CHAT.message('plan')}", reactionName: "new-${call}"`,
    as: 'bob',
    // Users are loaded last, and their names are stored with the reaction.
    commands: 8,
    roundTrips: 6,
  },
  {
    operation: 'sendMessage',
    input: (call) => `messageFeedId: "${CHAT.feed}", data: { text: "Message ${call}" }`,
    selection: 'chatMessage { messageId }',
    as: 'bob',
    commands: 9,
    roundTrips: 6,
  },
  {
    operation: 'createComment',
    input: (call) => `referenceId: "tomatoes", data: { text: "Comment ${call}" }`,
    selection: 'comment { commentId }',
    as: 'bob',
    commands: 6,
    roundTrips: 5,
  },
  {
    operation: 'keepReading',
    input: () => `messageFeedIds: ["${CHAT.feed}"]`,
    as: 'bob',
    commands: 5,
    roundTrips: 4,
  },
];

test.each(WRITES)('$operation of $as takes $commands commands in $roundTrips round trips', async (budget) => {
  const { operation, input, selection, as } = budget;
  const send = async (call: number) => {
    const { errors, data } = await gateway.graphql(mutation(operation, input(call), selection), { as });
    expect(errors ?? JSON.stringify(data)).toContain('Payload');
  };
  // The first calls fill the caches of the process and its pool of connections.
  await send(1);
  await send(2);
  // On a busy machine, their changes may not have arrived yet, and the next call would read what it usually has in memory.
  await expect.poll(() => gateway.services.store.records!.whenFresh(), { timeout: 10_000 }).toBe(true);
  const trips = await roundTripsOf(() => send(3));
  expect(trips.flat().length, trips.join(' | ')).toBeLessThanOrEqual(budget.commands);
  expect(trips.length, trips.join(' | ')).toBeLessThanOrEqual(budget.roundTrips);
});

test('a write reports the refusal of a check that is sent together with its statements', async () => {
  const { collections } = gateway.services.store;
  const filter = { networkId: gateway.networkId, communityId: 'gardeners', userId: 'carol' };
  const membership = await collections.communityUsers.findOne(filter);
  const count = async () =>
    (await collections.communities.findOne({ networkId: gateway.networkId, communityId: 'gardeners' }))!.postsCount;
  const before = await count();
  const { transaction } = gateway.services.store;
  // Bans the author between the check before the transaction and the transaction.
  gateway.services.store.transaction = async (work, options) => {
    gateway.services.store.transaction = transaction;
    await collections.communityUsers.updateOne(filter, { $set: { communityMembership: 'banned' } });
    return transaction(work, options);
  };
  const refused = await gateway.graphql(
    `mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "Hello" } }) { ... on OperationError { code } } }`,
    { as: 'carol' },
  );
  await collections.communityUsers.replaceOne(filter, membership!);
  expect(refused.data).toEqual({ createPost: { code: 'BANNED' } });
  expect(await count()).toBe(before);
});

/** The commands of `work`, grouped by round trip: those that are sent before any of the others is answered. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = [];
  const inFlight = new Set<number>();
  const started = ({ requestId, commandName, command }: CommandStartedEvent) => {
    if (BACKGROUND.has(commandName) || CACHED.has(command[commandName])) return;
    if (inFlight.size === 0) trips.push([]);
    inFlight.add(requestId);
    trips.at(-1)!.push(`${commandName} ${command[commandName]}`);
  };
  const ended = ({ requestId }: CommandSucceededEvent | CommandFailedEvent) => void inFlight.delete(requestId);
  const { client } = gateway.services.store;
  client.on('commandStarted', started).on('commandSucceeded', ended).on('commandFailed', ended);
  try {
    await work();
  } finally {
    client.off('commandStarted', started).off('commandSucceeded', ended).off('commandFailed', ended);
  }
  return trips;
}

const BACKGROUND: ReadonlySet<string> = new Set(['getMore', 'hello', 'ping', 'endSessions']);
/** Read once in seconds: whether a request reads them depends on the time. */
const CACHED: ReadonlySet<unknown> = new Set(['roles', 'contentRules', 'networks', 'categories']);
