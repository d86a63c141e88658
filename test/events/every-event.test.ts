import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOf } from '../../rest-compat/realtime/event-documents.ts';
import { eventTypeName } from '../../schema/event/event.ts';
import { schema } from '../../schema/index.ts';
import { EVENTS, type EventName, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { EVENT_PAYLOADS, type EventKind } from '../../src/events/event-payloads.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { selectionOf } from '../support/full-selection.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient, waitFor } from '../support/live.ts';
import { ask, mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { clientProblems } from '../support/published-client.ts';
import { CONTENT_CASES } from './cases/content.ts';
import { createPost } from './cases/content-fixtures.ts';
import type { CaseContext } from './cases/event-case.ts';
import { PEOPLE_AND_CHAT_CASES } from './cases/people-and-chat.ts';

/** The subscribed users. Together they see every event. */
const subscribers = ['admin', 'alice', 'bob', 'carol'];

let gateway: TestGateway;
let start: string;
const clients: LiveClient[] = [];
const subscriptions: LiveSubscription[] = [];
let appended: EventRecord[];

async function subscribe(userId: string): Promise<void> {
  const client = await liveClient(gateway, userId);
  clients.push(client);
  subscriptions.push(client.listen(EVERYTHING, { after: start }));
}

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const userId of subscribers) await gateway.tokenOf(userId);
  start = (await ask(gateway, '{ eventCursor }')).eventCursor;
  for (const userId of subscribers) await subscribe(userId);
  await causeEveryEvent();
  appended = await gateway.services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
  // Read positions are delivered only to their user.
  const { userId } = appended.find(({ type }) => type === 'marker.user-sync')!.data as { userId: string };
  subscribers.push(userId);
  await subscribe(userId);
  const last = appended.at(-1)!.eventId;
  for (const { events } of subscriptions) await waitFor(() => events.some(({ id }) => id === last), 60_000);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await gateway.close();
});

/** Runs the operation of every case, and uploads a file, for which there is no mutation. */
async function causeEveryEvent(): Promise<void> {
  const context: CaseContext = { gateway, mutate: mutations(gateway) };
  for (const { operation, prepare } of [...CONTENT_CASES, ...PEOPLE_AND_CHAT_CASES]) {
    const { as = 'alice', input, select = 'clientMutationId' } = await prepare(context);
    await context.mutate(as, operation, input, select);
  }
  const form = new FormData();
  form.append('files', new Blob([PNG as never]), 'one.png');
  const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
  expect((await fetch(`${gateway.url}/api/v4/images`, { method: 'POST', body: form, headers })).status).toBe(200);
  // A last event that every subscriber sees marks the end.
  await createPost(context);
}

const typeOf = (kind: EventKind) => schema.getType(eventTypeName(kind)) as GraphQLObjectType;

/** The fields of an event type that hold records. */
const recordsOf = (kind: EventKind): string[] =>
  Object.values(typeOf(kind).getFields()).flatMap(({ name, type }) => (isObjectType(getNamedType(type)) ? [name] : []));

const KIND_NAMES = Object.keys(EVENT_PAYLOADS) as EventKind[];

/** Every event with all fields of its records. Aliases keep fields of the same name but different types apart. */
const EVERYTHING = `subscription ($after: String) { events(after: $after) { __typename id type path actorId ${KIND_NAMES.map(
  (kind) => {
    const fields = typeOf(kind).getFields();
    const records = recordsOf(kind).map((name) => {
      const type = getNamedType(fields[name]!.type) as GraphQLObjectType;
      return `${kind}_${name}: ${name} { ${selectionOf(type, 0)} }`;
    });
    return `... on ${typeOf(kind).name} { ${records.join(' ')} }`;
  },
).join(' ')} } }`;

test('no subscriber received an error', () => {
  expect(subscriptions.flatMap(({ errors }) => errors)).toEqual([]);
});

test('every subscriber received each event at most once and in log order', () => {
  const order = new Map(appended.map(({ eventId }, index) => [eventId, index]));
  for (const { events } of subscriptions) {
    const positions = events.map(({ id }) => order.get(id)!);
    expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other));
  }
});

test('the client check reports unknown event names and missing required fields', () => {
  const data = {
    channels: [{ channelInternalId: 'c', type: 'live' }],
    channelUsers: [],
    users: [{ path: 'p', _id: 'u' }],
  };
  const problems = (envelope: object) => clientProblems(JSON.stringify(envelope), new Set(['channel.deleted']));
  expect(problems({ eventType: 'channel.deleted', data })).toEqual([]);
  expect(problems({ eventType: 'channel.didClose', data })).toEqual(['no handler for channel.didClose']);
  expect(
    problems({ eventType: 'channel.deleted', data: { ...data, channelUsers: undefined, users: [{ path: 'p' }] } }),
  ).toEqual(['channelUsers is missing', 'users._id is missing']);
});

test('events of flags and votes do not name their actor', () => {
  const anonymous = subscriptions.flatMap(({ events }) =>
    events.filter(({ type }) => /FLAGGED$|^POLL_VOTED$/.test(type) && type !== 'MESSAGE_FLAG_CLEARED'),
  );
  expect(new Set(anonymous.map(({ type }) => type)).size).toBe(11);
  expect(new Set(anonymous.map(({ actorId }) => actorId))).toEqual(new Set([null]));
});

describe('each event is caused by an operation and received', () => {
  test.each(REALTIME_NAMES)('%s', async (name) => {
    const ids = new Set(appended.filter(({ type }) => type === name).map(({ eventId }) => eventId));
    expect(ids.size, 'no case causes it').toBeGreaterThan(0);
    const received = subscriptions.flatMap(({ events }) => events.filter(({ id }) => ids.has(id)));
    expect(received.length, 'no subscriber received it').toBeGreaterThan(0);
    const { kind } = EVENTS[name];
    for (const { __typename } of received) expect(__typename).toBe(eventTypeName(kind));
    // Markers of a feed that was deleted in the meantime are not returned.
    const hasRecords = ({ marker_userFeedMarkers: left = null }: (typeof received)[number]) => left?.length !== 0;
    expect(received.filter(hasRecords)).not.toEqual([]);
    for (const event of received.filter(hasRecords)) {
      for (const record of recordsOf(kind)) expect(event[`${kind}_${record}`], record).toEqual(FILLED);
    }
    const polled = await Promise.all(
      subscribers.map((as, index) => pollAs(as, name, { ids, subscription: subscriptions[index]! })),
    );
    expect(polled.filter(Boolean).length, 'no poll returned it').toBeGreaterThan(0);
  });
});

/** Matches a record, or a non-empty list of records. */
const FILLED = {
  asymmetricMatch: (value: unknown) =>
    Array.isArray(value) ? value.length > 0 && value.every(Boolean) : typeof value === 'object' && value !== null,
  toString: () => 'filled',
};

/** @returns whether the poll returned an event, as it must for users who received one over GraphQL */
async function pollAs(
  as: string,
  name: EventName,
  expected: { ids: Set<string>; subscription: LiveSubscription },
): Promise<boolean> {
  const { status, body, text } = await gateway.rest(`/realtime/${name}?after=${start}&wait=0`, { as });
  if (status === 204) {
    expect(expected.subscription.events.filter(({ id }) => expected.ids.has(id))).toEqual([]);
    return false;
  }
  expect(expected.ids).toContain(body.id);
  expect(body.eventType).toBe(name);
  expect(clientProblems(text, new Set([name]))).toEqual([]);
  const { arrays, reactor, fields } = documentOf(name);
  const reaction = reactor ? ['reactor', ...(reactor === 'listed' ? ['reactions'] : [])] : [];
  expect(Object.keys(body.data)).toEqual([...arrays, ...reaction, ...Object.keys(fields?.schema ?? {})]);
  if (EVENTS[name].kind !== 'marker') expect(body.data[arrays[0]!], arrays[0]).not.toEqual([]);
  if (reactor) expect(body.data.reactor).toMatchObject({ reactionId: expect.any(String) });
  if (reactor === 'listed') expect(body.data.reactions).toEqual([body.data.reactor]);
  return true;
}
