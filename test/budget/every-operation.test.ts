import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { CHAT } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
  await gateway.tokenOf('judy');
});
afterAll(() => gateway.close());

/** Budgets of the operations that no test beside this one measures; each counts the session's own read. */
const OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
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
  { query: '{ nodes(ids: ["UG9zdDpzZWVkbGluZ3M", "VXNlcjpib2I"]) { id } }', budget: 5 },
  { query: `{ viewerFeedMarkersOfChannels(entityIds: ["${CHAT.channel}"]) { unreadCount } }`, budget: 4 },
  { query: `{ feedMarkersOfMessages(messageIds: ["${CHAT.message('i-water')}"]) { lastSegment } }`, budget: 6 },
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
  { query: '{ story(storyId: "morning-dew") { data { text } creator { displayName } } }', budget: 5 },
  { query: `mutation { keepReading(input: { messageFeedIds: ["${CHAT.feed}"] }) { __typename } }`, budget: 12 },
  {
    query: `mutation { markDelivering(input: { messageFeedId: "${CHAT.feed}", messageId: "${CHAT.message('i-water')}" }) { __typename } }`,
    budget: 14,
  },
  {
    query: `mutation { markRead(input: { messageFeedId: "${CHAT.feed}", readToSegment: 99 }) { __typename } }`,
    budget: 18,
  },
  { query: `mutation { stopReading(input: { messageFeedId: "${CHAT.feed}" }) { __typename } }`, budget: 14 },
  {
    query:
      'mutation { removeChannelRole(input: { channelId: "gardeners-chat", role: "channel-moderator", userIds: ["carol"] }) { __typename } }',
    budget: 14,
  },
  {
    query:
      'mutation { unpinPost(input: { communityId: "gardeners", placement: DEFAULT, postId: "tomatoes" }) { __typename } }',
    budget: 8,
  },
  { query: 'mutation { revokeSession(input: {}) { __typename } }', budget: 2, as: 'judy' },
];

test.each(OPERATIONS)('$query takes at most $budget commands', async ({ query, budget, as = 'alice' }) => {
  let answer: Awaited<ReturnType<TestGateway['graphql']>> | undefined;
  const commands = await gateway.commandsOf(async () => {
    answer = await gateway.graphql(query, { as });
  });
  expect(answer!.errors).toBeUndefined();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
});

test('signing in takes at most 6 commands, minting an auth token one', async () => {
  const post = (query: string, headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const signIn = await gateway.commandsOf(() =>
    post('mutation { createSession(input: { userId: "bob", deviceId: "b" }) { __typename } }', {
      'x-api-key': gateway.keys.API_KEY,
    }),
  );
  expect(signIn.length, signIn.join(' ')).toBeLessThanOrEqual(6);
  const mint = await gateway.commandsOf(() =>
    post('mutation { mintAuthToken(input: { userId: "bob" }) { __typename } }', {
      'x-server-key': gateway.keys.SERVER_KEY,
    }),
  );
  expect(mint.length, mint.join(' ')).toBe(1);
});

test('every field of Query and Mutation stands in an operation with a budget', () => {
  const folder = import.meta.dirname;
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const budgeted = new Set(texts.flatMap(operationsIn).flatMap(rootFieldsOf));
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
  expect(fields.filter((field) => !budgeted.has(field))).toEqual([]);
});

/** GraphQL documents written as string literals in a test's source. */
function operationsIn(text: string): DocumentNode[] {
  const literals = text.matchAll(/(['`])((?:mutation|query)?\s*(?:\([^)]*\)\s*)?\{[\s\S]*?)\1/g);
  return [...literals].flatMap(([, , literal]) => {
    const source = literal!.replace(/\$\{verb\}/g, 'add').replace(/\$\{[^}]*\}/g, 'x');
    try {
      const document = parse(source);
      return source.includes('addCommunityRoles')
        ? [document, parse(source.replace('addCommunityRoles', 'removeCommunityRoles'))]
        : [document];
    } catch {
      return [];
    }
  });
}

function rootFieldsOf(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []))
      : [],
  );
}
