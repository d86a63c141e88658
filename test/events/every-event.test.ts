import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOf } from '../../rest-compat/realtime/event-documents.ts';
import { eventTypeName } from '../../schema/event/event.ts';
import { schema } from '../../schema/index.ts';
import { EVENTS, type EventName, KINDS, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { selectionOf } from '../support/full-selection.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient, waitFor } from '../support/live.ts';
import { ask, mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { clientProblems } from '../support/published-client.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { newPost } from './rows/made.ts';
import { PEOPLE_AND_CHAT_ROWS } from './rows/people-and-chat.ts';
import type { World } from './rows/row.ts';

/** Who listens: what one of them does not see, another does. */
const listeners = ['admin', 'alice', 'bob', 'carol'];

let gateway: TestGateway;
let start: string;
const clients: LiveClient[] = [];
const heard: LiveSubscription[] = [];
let appended: EventRecord[];

async function listen(userId: string): Promise<void> {
  const client = await liveClient(gateway, userId);
  clients.push(client);
  heard.push(client.listen(EVERYTHING, { after: start }));
}

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const userId of listeners) await gateway.tokenOf(userId);
  start = (await ask(gateway, '{ eventCursor }')).eventCursor;
  for (const userId of listeners) await listen(userId);
  await everythingHappens();
  appended = await gateway.services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
  // Positions are told to their user alone.
  const { userId } = appended.find(({ type }) => type === 'marker.userFeed-updated')!.data as { userId: string };
  listeners.push(userId);
  await listen(userId);
  const last = appended.at(-1)!.eventId;
  for (const { events } of heard) await waitFor(() => events.some(({ id }) => id === last), 60_000);
}, 240_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await gateway.close();
});

/** Asks for what every row says, and uploads a file, which no mutation does. */
async function everythingHappens(): Promise<void> {
  const world: World = { gateway, make: mutations(gateway) };
  for (const { operation, prepare } of [...CONTENT_ROWS, ...PEOPLE_AND_CHAT_ROWS]) {
    const { as = 'alice', input, select = 'clientMutationId' } = await prepare(world);
    await world.make(as, operation, input, select);
  }
  const form = new FormData();
  form.append('files', new Blob([PNG as never]), 'one.png');
  const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
  expect((await fetch(`${gateway.url}/api/v4/images`, { method: 'POST', body: form, headers })).status).toBe(200);
  // Everybody sees the last one.
  await newPost(world);
}

const typeOf = (kind: EventKind) => schema.getType(eventTypeName(kind)) as GraphQLObjectType;

/** The records that events of a kind are about. */
const recordsOf = (kind: EventKind): string[] =>
  Object.values(typeOf(kind).getFields()).flatMap(({ name, type }) => (isObjectType(getNamedType(type)) ? [name] : []));

const KIND_NAMES = Object.keys(KINDS) as EventKind[];

/** Every event with all the fields of the records it is about, each kind's under a name of its own. */
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

test('nobody was told of a failure', () => {
  expect(heard.flatMap(({ errors }) => errors)).toEqual([]);
});

test('nobody was told anything twice, or in another order than it happened', () => {
  const order = new Map(appended.map(({ eventId }, index) => [eventId, index]));
  for (const { events } of heard) {
    const places = events.map(({ id }) => order.get(id)!);
    expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
  }
});

test('a published client would fail on an envelope without what it reads unguarded', () => {
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

test('nobody is told who flagged or voted', () => {
  const secret = heard.flatMap(({ events }) =>
    events.filter(({ type }) => /FLAGGED$|^POLL_VOTED$/.test(type) && type !== 'MESSAGE_FLAG_CLEARED'),
  );
  expect(new Set(secret.map(({ type }) => type)).size).toBe(11);
  expect(new Set(secret.map(({ actorId }) => actorId))).toEqual(new Set([null]));
});

describe('each event is caused by an operation and received', () => {
  test.each(REALTIME_NAMES)('%s', async (name) => {
    const ids = new Set(appended.filter(({ type }) => type === name).map(({ eventId }) => eventId));
    expect(ids.size, 'no row causes it').toBeGreaterThan(0);
    const told = heard.flatMap(({ events }) => events.filter(({ id }) => ids.has(id)));
    expect(told.length, 'nobody was told').toBeGreaterThan(0);
    const { kind } = EVENTS[name];
    for (const { __typename } of told) expect(__typename).toBe(eventTypeName(kind));
    // A position in a feed that has gone meanwhile is shown to nobody.
    const isLeft = ({ marker_userFeedMarkers: left = null }: (typeof told)[number]) => left?.length !== 0;
    expect(told.filter(isLeft)).not.toEqual([]);
    for (const event of told.filter(isLeft)) {
      for (const record of recordsOf(kind)) expect(event[`${kind}_${record}`], record).toEqual(FILLED);
    }
    const polled = await Promise.all(listeners.map((as, index) => pollAs(as, name, { ids, heard: heard[index]! })));
    expect(polled.filter(Boolean).length, 'nobody polled it').toBeGreaterThan(0);
  });
});

/** A record, or at least one. */
const FILLED = {
  asymmetricMatch: (value: unknown) =>
    Array.isArray(value) ? value.length > 0 && value.every(Boolean) : typeof value === 'object' && value !== null,
  toString: () => 'filled',
};

/** @returns whether there was one for them, as for all who were told over GraphQL */
async function pollAs(
  as: string,
  name: EventName,
  told: { ids: Set<string>; heard: LiveSubscription },
): Promise<boolean> {
  const { status, body, text } = await gateway.rest(`/realtime/${name}?after=${start}&wait=0`, { as });
  if (status === 204) {
    expect(told.heard.events.filter(({ id }) => told.ids.has(id))).toEqual([]);
    return false;
  }
  expect(told.ids).toContain(body.id);
  expect(body.eventType).toBe(name);
  expect(clientProblems(text, new Set([name]))).toEqual([]);
  const { arrays, hasReactor } = documentOf(name);
  expect(Object.keys(body.data)).toEqual([...arrays, ...(hasReactor ? ['reactor'] : [])]);
  if (EVENTS[name].kind !== 'marker') expect(body.data[arrays[0]!], arrays[0]).not.toEqual([]);
  if (hasReactor) expect(body.data.reactor).toMatchObject({ reactionId: expect.any(String) });
  return true;
}
