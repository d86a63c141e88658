import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formOf } from '../../rest-compat/realtime/forms.ts';
import { eventTypeName } from '../../schema/event/event.ts';
import { schema } from '../../schema/index.ts';
import { definitionOf, EVENTS, type EventName, KINDS, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { KindName } from '../../src/events/kinds.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { selectionOf } from '../support/in-full.ts';
import { type Heard, type LiveClient, liveClient, waitFor } from '../support/live.ts';
import { ask, mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { PEOPLE_AND_CHAT_ROWS } from './rows/people-and-chat.ts';
import type { World } from './rows/row.ts';

/** Who listens: what one of them does not see, another does. Positions are told to their user alone. */
const LISTENERS = ['admin', 'alice', 'bob', 'carol', 'heidi'];

let gateway: TestGateway;
let start: string;
let clients: LiveClient[];
let heard: Heard[];
let appended: EventRecord[];

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const userId of LISTENERS) await gateway.tokenOf(userId);
  start = (await ask(gateway, '{ eventCursor }')).eventCursor;
  clients = await Promise.all(LISTENERS.map((userId) => liveClient(gateway, userId)));
  heard = clients.map((client) => client.listen(EVERYTHING, { after: start }));
  await everythingHappens();
  appended = await gateway.services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
  const last = appended.findLast(({ type }) => definitionOf(type)!.realtime)!.eventId;
  await waitFor(() => heard[0]!.events.some(({ id }) => id === last), 60_000);
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
}

const typeOf = (kind: KindName) => schema.getType(eventTypeName(kind)) as GraphQLObjectType;

/** The records that events of a kind are about. */
const recordsOf = (kind: KindName): string[] =>
  Object.values(typeOf(kind).getFields()).flatMap(({ name, type }) => (isObjectType(getNamedType(type)) ? [name] : []));

const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Every event with all the fields of the records it is about, each kind's under a name of its own. */
const EVERYTHING = `subscription ($after: String) { events(after: $after) { __typename id type path ${KIND_NAMES.map(
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

describe('each event is caused by an operation and received', () => {
  test.each(REALTIME_NAMES)('%s', async (name) => {
    const ids = new Set(appended.filter(({ type }) => type === name).map(({ eventId }) => eventId));
    expect(ids.size, 'no row causes it').toBeGreaterThan(0);
    const told = heard.flatMap(({ events }) => events.filter(({ id }) => ids.has(id)));
    expect(told.length, 'nobody was told').toBeGreaterThan(0);
    const { kind } = EVENTS[name];
    for (const event of told) {
      expect(event.__typename).toBe(eventTypeName(kind));
      for (const record of recordsOf(kind)) expect(event[`${kind}_${record}`], record).toEqual(FILLED);
    }
    for (const as of LISTENERS) await pollAs(as, name, heard[LISTENERS.indexOf(as)]!);
  });
});

/** A record, or at least one. */
const FILLED = {
  asymmetricMatch: (value: unknown) =>
    Array.isArray(value) ? value.length > 0 && value.every(Boolean) : typeof value === 'object' && value !== null,
  toString: () => 'filled',
};

/** Whoever was told over GraphQL gets the first one by REST too, if it can still be seen. */
async function pollAs(as: string, name: EventName, { events }: Heard): Promise<void> {
  const { status, body } = await gateway.rest(`/realtime/${name}?after=${start}&wait=0`, { as });
  const own = events.filter(({ type }) => type === schemaName(name));
  if (status === 204) return expect(own.filter(({ id }) => !isGone(id)).length, `${as} polls nothing`).toBe(0);
  expect(own.map(({ id }) => id)).toContain(body.id);
  expect(body.eventType).toBe(name);
  const { arrays } = formOf(name);
  for (const array of arrays) expect(body.data[array], array).toEqual(expect.any(Array));
  const main = EVENTS[name].kind === 'marker' ? 'userFeedMarkers' : arrays[0]!;
  expect(body.data[main], main).not.toEqual([]);
}

const schemaName = (name: EventName) => name.replace(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

function isGone(_id: string): boolean {
  return false;
}
