import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { CONTENT_CASES } from '../events/cases/content.ts';
import type { CaseContext, EventCase } from '../events/cases/event-case.ts';
import { PEOPLE_AND_CHAT_CASES } from '../events/cases/people-and-chat.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { prepareKeys } from '../support/operations/people.ts';
import { prepareWebhooks, WEBHOOK_IDS } from '../support/operations/webhook.ts';

/** Mutations whose repeated response contains no record, each with the reason. */
const WITHOUT_RECORDS: { [mutation: string]: string } = {
  uploadFiles: 'Has no key, since a key identifies its input, which would be all bytes.',
  createSession: 'Has no user yet, so its key is not stored: it is executed again.',
  createVisitorSession: 'Has no user yet, so its key is not stored: it is executed again.',
  mintAuthToken: 'Uses the server key, without a user: its key is not stored.',
  registerPushDevice: 'Uses the key of the network, without a user: its key is not stored.',
  unregisterPushDevice: 'Uses the key of the network, without a user: its key is not stored.',
  assignNetworkRoles: 'Uses the server key, without a user: its key is not stored.',
  deleteUser: 'Ends the sessions of the user, and returns a user, which everyone may read.',
  eraseUser: 'Returns the progress of an erasure, which contains nothing of the person except the id.',
  exportUser: 'Is executed again: its response contains a secret and is not stored.',
  revokeSessions: 'Returns a boolean.',
  revokeAllSessions: 'Ends the sessions that could repeat it, and returns a boolean.',
  consumeLoginLink: 'Has no user yet, so its key is not stored: its link is refused the second time.',
  exchangeLoginCode: 'Has no user yet, so its key is not stored: its code is refused the second time.',
  resolveModerationItem: 'Returns the kind and the id that the viewer sent.',
  resolveModerationItems: 'Returns the kinds and ids that the viewer sent, with error codes.',
  refreshSession:
    'Has no user yet, so its key is not stored: a replaced token is answered with its successor or ends the session.',
  revokeSession: 'Ends the session that could repeat it, and returns a boolean.',
};

const { endpointId, deliveryId } = WEBHOOK_IDS;
const OTHER_ENDPOINT = 'dddddddddddddddddddddddd';
const WEBHOOKS: Array<[operation: string, input: object]> = [
  ['createWebhookEndpoint', { url: 'https://1.1.1.1/', events: ['v3.post.didCreate'] }],
  ['updateWebhookEndpoint', { endpointId, url: 'https://1.1.1.1/other' }],
  ['rotateWebhookSecret', { endpointId }],
  ['sendTestPing', { endpointId }],
  ['replayWebhookDelivery', { deliveryId }],
  ['replayWebhookEvents', { endpointId, from: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' }],
  ['disableWebhookEndpoint', { endpointId }],
  ['enableWebhookEndpoint', { endpointId }],
  ['deleteWebhookEndpoint', { endpointId: OTHER_ENDPOINT }],
  ['switchWebhooks', { enabled: true }],
  ['createKey', { kind: 'API', name: 'Web' }],
  ['renameKey', { keyId: 'spare', name: 'Kept' }],
  ['rotateKey', { keyId: 'spare' }],
  ['retireKey', { keyId: 'spare' }],
  ['updateContentRules', { blockedWords: [] }],
  ['updateNetworkSettings', { chat: { enabled: true } }],
  ['updateDeepLinks', { domain: 'app.example.com', patterns: {} }],
  ['updateSocialSettings', { globalFeed: { showMyPost: true } }],
];
const WEBHOOK_CASES = WEBHOOKS.map(
  ([operation, input]): EventCase => ({ operation, situation: '', prepare: () => ({ as: 'admin', input }) }),
);

/** Mutations after which their author can no longer read the returned record. */
const ENDS_ACCESS = new Set([
  'leaveChannel',
  'leaveCommunity',
  'removeReaction',
  'deleteCommunity',
  'deleteWebhookEndpoint',
]);

/** Types whose records every signed-in user of the network, or every user of the record, may read. */
const READABLE_BY_ALL = new Set([
  'User',
  'Follow',
  'NetworkSettings',
  'ContentRules',
  'Role',
  'Category',
  'File',
  'UserMarker',
]);

/** The values of every text and counter written after all users lost their rights. */
const LATER = 'written-after-the-loss';
const LATER_COUNT = 777_777;
const isLater = (text: string) => text.includes(LATER) || text.includes(String(LATER_COUNT));

type Answer = { __typename: string; code?: string; [name: string]: unknown };

interface FirstCall {
  operation: string;
  as: string;
  document: string;
  input: object;
  first: Answer;
}

let gateway: TestGateway;
const firstCalls = new Map<string, FirstCall>();
/** Records that a mutation returned although its author could not read them at that moment. */
const unreadable: string[] = [];

/** Selects all fields of a payload, `depth` records deep, with pages of three. */
function selectionOf(type: GraphQLNamedType, depth: number, withPages = true): string {
  if (isAbstractType(type)) {
    // Of records only ids: other fields of the same name may have different types.
    const inner = schema.getPossibleTypes(type).map((one) => {
      const isRecord = 'id' in one.getFields();
      return `... on ${one.name} { ${isRecord ? 'id' : selectionOf(one, depth, withPages)} }`;
    });
    return ['__typename', ...inner].join(' ');
  }
  const selected = Object.values((type as GraphQLObjectType).getFields()).flatMap((field) => {
    const { name, args } = field;
    if (name === 'clientMutationId' || args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [name];
    if (depth === 0) return [];
    if (inner.name.endsWith('Connection')) {
      if (!withPages) return [];
      const edge = getNamedType((inner as GraphQLObjectType).getFields().edges!.type) as GraphQLObjectType;
      const node = getNamedType(edge.getFields().node!.type);
      return [`${name}(first: 3) { edges { node { ${selectionOf(node, 0)} } } }`];
    }
    return [`${name} { ${selectionOf(inner, depth - 1, withPages)} }`];
  });
  return ['__typename', ...selected].join(' ');
}

async function send({ operation, as, document, input }: Omit<FirstCall, 'first'>): Promise<Answer> {
  const variables = { input: { ...input, clientMutationId: `key of ${operation}` } };
  const { data, errors } = await gateway.graphql<{ answer: Answer }>(document, { as, variables });
  return errors ? { __typename: `${operation}: ${JSON.stringify(errors)}` } : data.answer;
}

interface FoundRecord {
  type: string;
  id: string;
  depth: number;
  /** The fields of the record without nested records, as JSON. */
  own: string;
  isDeleted: boolean;
}

/** The records of a response that not every user may read. */
function recordsOf(value: unknown, depth = -1): FoundRecord[] {
  if (Array.isArray(value)) return value.flatMap((one) => recordsOf(one, depth));
  if (typeof value !== 'object' || value === null) return [];
  const { __typename, id, isDeleted, ...fields } = value as { [name: string]: unknown };
  const type = String(__typename ?? '');
  const isRecord = typeof id === 'string' && isObjectType(schema.getType(type)) && !READABLE_BY_ALL.has(type);
  const inner = Object.values(fields).flatMap((one) => recordsOf(one, __typename === undefined ? depth : depth + 1));
  if (!isRecord) return inner;
  const nested = new Set(Object.keys(fields).filter((name) => recordsOf(fields[name]).length > 0));
  const own = JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([name]) => !nested.has(name))));
  return [{ type, id, depth, own, isDeleted: isDeleted === true }, ...inner];
}

/** Those of the records that the user cannot read now. */
async function hiddenFrom(as: string, records: readonly FoundRecord[]): Promise<FoundRecord[]> {
  const hidden: FoundRecord[] = [];
  for (const record of records) {
    const { data } = await gateway.graphql<{ node: object | null }>('query ($id: ID!) { node(id: $id) { id } }', {
      as,
      variables: { id: record.id },
    });
    if (data.node === null) hidden.push(record);
  }
  return hidden;
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const { collections } = gateway.services.store;
  await prepareWebhooks(collections);
  await prepareKeys(collections);
  const endpoint = (await collections.webhookEndpoints.findOne({ networkId: 'default', endpointId }))!;
  await collections.webhookEndpoints.insertOne({ ...endpoint, _id: new ObjectId(), endpointId: OTHER_ENDPOINT });
  const context: CaseContext = { gateway, mutate: mutations(gateway) };
  for (const { operation, prepare } of [...CONTENT_CASES, ...PEOPLE_AND_CHAT_CASES, ...WEBHOOK_CASES]) {
    if (firstCalls.has(operation) || operation in WITHOUT_RECORDS) continue;
    const { as = 'alice', input, code } = await prepare(context);
    if (code !== undefined) continue;
    await gateway.tokenOf(as);
    const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const payload = schema.getType(`${type}Payload`) as GraphQLObjectType;
    const documentOf = (withPages: boolean) => `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
      __typename ... on ${type}Payload { ${selectionOf(payload, 2, withPages)} } ... on OperationError { code } } }`;
    let call = { operation, as, document: documentOf(true), input };
    let first = await send(call);
    if (first.__typename.startsWith(operation)) {
      // Pages of a record that was just deleted are rejected.
      call = { ...call, document: documentOf(false) };
      first = await send(call);
    }
    firstCalls.set(operation, { ...call, first });
    for (const { type, isDeleted } of await hiddenFrom(as, recordsOf(first)))
      if (!isDeleted && !ENDS_ACCESS.has(operation)) unreadable.push(`${operation}: ${type}`);
  }
  await revokeAllRights();
}, 240_000);
afterAll(() => gateway.close());

/** Removes all memberships and roles, makes all communities and channels private, and changes all content. */
async function revokeAllRights(): Promise<void> {
  const { collections } = gateway.services.store;
  const network = { networkId: 'default' };
  const note = { metadata: { note: LATER } };
  const text = { displayName: LATER, ...note };
  const noRights = { roles: [], permissions: [] };
  const closed = { isPublic: false, isDiscoverable: false };
  const content = { ...note, data: { text: LATER }, flagCount: LATER_COUNT, reactionsCount: LATER_COUNT };
  await collections.users.updateMany(network, { $set: noRights });
  await collections.sessions.updateMany(network, { $set: noRights });
  await collections.communityUsers.updateMany(network, { $set: { ...noRights, communityMembership: 'none' } });
  await collections.channelUsers.updateMany(network, { $set: { ...noRights, membership: 'none' } });
  await collections.communities.updateMany(network, { $set: { ...closed, ...text, membersCount: LATER_COUNT } });
  await collections.channels.updateMany(network, { $set: { isPublic: false, ...text, messageCount: LATER_COUNT } });
  await collections.messageFeeds.updateMany(network, { $set: { name: LATER, lastSegment: LATER_COUNT } });
  await collections.messages.updateMany(network, { $set: content });
  await collections.posts.updateMany(network, { $set: content });
  await collections.comments.updateMany(network, { $set: content });
  await collections.stories.updateMany(network, { $set: content });
  await collections.polls.updateMany(network, { $set: { question: LATER } });
  await collections.rooms.updateMany(network, { $set: { title: LATER } });
  await collections.videoStreams.updateMany(network, { $set: { title: LATER } });
  await collections.webhookEndpoints.updateMany(network, { $set: { url: `https://1.1.1.1/${LATER}` } });
}

test('every mutation with an idempotency key is repeated here or has a reason not to be', () => {
  const keyed = Object.values(schema.getMutationType()!.getFields()).flatMap(({ name, args }) => {
    const input = getNamedType(args[0]?.type);
    return input && 'getFields' in input && 'clientMutationId' in input.getFields() ? [name] : [];
  });
  expect([...firstCalls.keys(), ...Object.keys(WITHOUT_RECORDS)].sort()).toEqual(keyed.sort());
  for (const { operation, first } of firstCalls.values()) expect(first.__typename, operation).toMatch(/Payload$/);
});

test('every record that a mutation returns can be read by its author at that moment', () => {
  expect(unreadable).toEqual([]);
});

const operations = Object.keys(schema.getMutationType()!.getFields()).filter((name) => !(name in WITHOUT_RECORDS));

describe('a write repeated with its key after its author lost all rights', () => {
  test.each(operations)('%s returns no record that its author can no longer read', async (operation) => {
    const call = firstCalls.get(operation)!;
    const again = await send(call);
    expect(again.__typename).toMatch(/^(\w+Payload|OperationError)$/);
    const hidden = await hiddenFrom(call.as, recordsOf(again));
    // A record that is deleted by now is returned as it was, without relations.
    const shown = hidden.filter(
      ({ depth, isDeleted, own }) => depth > 0 || isLater(own) || !(isDeleted || ENDS_ACCESS.has(operation)),
    );
    expect(shown).toEqual([]);
    if (recordsOf(again).length === 0) expect(isLater(JSON.stringify(again))).toBe(false);
    if ('feedMarkers' in call.first) expect(again.code).toBe('NOT_FOUND');
  });
});
