import { expect } from 'vitest';
import { eventSources } from '../../schema/event/event-sources.ts';
import { schema } from '../../schema/index.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { rejectInserts } from '../support/reject-inserts.ts';
import type { Call, CaseContext, EventCase, ExpectedEvent } from './cases/event-case.ts';

/**
 * Runs the operation of a case and compares the events it appends. An operation that causes events runs twice: first
 * with an event log that rejects writes, when it must change nothing.
 */
export async function runCase(gateway: TestGateway, { operation, prepare }: EventCase): Promise<void> {
  const context: CaseContext = { gateway, mutate: mutations(gateway) };
  const call = await prepare(context);
  const { as = 'alice', input, select = 'clientMutationId', events = [], code } = call;
  await gateway.tokenOf(as);
  if (causesEvents(call)) await assertNothingChangesWithoutLog(context, operation, call);
  const before = new Set((await log(gateway)).map(({ eventId }) => eventId));
  const payload = await context.mutate(as, operation, input, select);
  expect(payload.code, JSON.stringify(payload)).toBe(code);
  const appended = (await log(gateway)).filter(({ eventId }) => !before.has(eventId));
  const expected = typeof events === 'function' ? await events(payload, context) : events;
  expect(appended.map(toExpected)).toEqual(expected);
  for (const { type } of appended) {
    expect(SOURCES[type as EventName], `${operation} needs \`...causes('${type}')\` in its declaration`).toContain(
      operation,
    );
    caused.add(`${operation} ${type}`);
  }
  for (const { type, actorId, networkId, senderId, _id, eventId } of appended) {
    // A message that reaches the limit of flags is deleted by the system. Votes are secret.
    const hasNoActor =
      (operation === 'flagMessage' && type === 'message.deleted') ||
      (/vote/i.test(operation) && type === 'poll.updated');
    expect({ actorId, networkId, senderId, eventId }).toEqual({
      actorId: hasNoActor ? null : as,
      networkId: 'default',
      senderId: gateway.services.instanceId,
      eventId: _id.toHexString(),
    });
  }
}

const SOURCES = eventSources(schema);
const caused = new Set<string>();

/** The mutations that did not cause an event that they declare when the cases ran, as `operation event`. */
export function neverCaused(cases: readonly EventCase[]): string[] {
  const operations = new Set(cases.map(({ operation }) => operation));
  return Object.entries(SOURCES)
    .flatMap(([type, causes]) => causes.filter((cause) => operations.has(cause)).map((cause) => `${cause} ${type}`))
    .filter((pair) => !caused.has(pair));
}

function causesEvents({ events = [], code }: Call): boolean {
  return code === undefined && (typeof events === 'function' || events.length > 0);
}

/** Events are written in the transaction of their change, so a failed write of events rolls the change back. */
async function assertNothingChangesWithoutLog(
  { gateway, mutate }: CaseContext,
  operation: string,
  call: Call,
): Promise<void> {
  const { as = 'alice', input, select = 'clientMutationId' } = call;
  const before = await contentsOf(gateway);
  const rejected = rejectInserts(gateway.services.store.collections.events, 'The event log rejects the write.');
  try {
    await expect(mutate(as, operation, input, select)).rejects.toThrow();
    expect(rejected.count).toBe(1);
  } finally {
    rejected.stop();
  }
  expect(await contentsOf(gateway)).toEqual(before);
}

/** All records except sessions, whose last activity is updated even if the call fails. */
async function contentsOf({ services: { store } }: TestGateway): Promise<{ [collection: string]: string[] }> {
  const { sessions: _, ...collections } = store.collections;
  const all = await Promise.all(
    Object.entries(collections).map(async ([name, collection]) => {
      const records = await collection.find({}).sort({ _id: 1 }).toArray();
      return [name, records.map((record) => JSON.stringify(record))] as const;
    }),
  );
  return Object.fromEntries(all);
}

async function log({ services }: TestGateway): Promise<EventRecord[]> {
  return services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
}

function toExpected({ type, path, data }: EventRecord): ExpectedEvent {
  return [type, path, data] as never;
}
