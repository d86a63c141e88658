import { expect, vi } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import { EVENT_SOURCES } from '../../src/events/event-sources.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import type { Call, EventRow, Expected, World } from './rows/row.ts';

/**
 * Asks for what a row says and compares what stands in the log then. A change that causes events is asked for twice:
 * first while the log takes nothing, when nothing may be changed at all.
 */
export async function runRow(gateway: TestGateway, { operation, prepare }: EventRow): Promise<void> {
  const world: World = { gateway, make: mutations(gateway) };
  const call = await prepare(world);
  const { as = 'alice', input, select = 'clientMutationId', events = [], code } = call;
  await gateway.tokenOf(as);
  if (causesEvents(call)) await refuseWithoutLog(world, operation, call);
  const before = new Set((await log(gateway)).map(({ eventId }) => eventId));
  const payload = await world.make(as, operation, input, select);
  expect(payload.code, JSON.stringify(payload)).toBe(code);
  const appended = (await log(gateway)).filter(({ eventId }) => !before.has(eventId));
  const expected = typeof events === 'function' ? await events(payload, world) : events;
  expect(appended.map(told)).toEqual(expected);
  for (const { type } of appended) {
    expect(
      EVENT_SOURCES[type as EventName],
      `${type} is caused by ${operation}: src/events/event-sources.ts`,
    ).toContain(operation);
    caused.add(`${operation} ${type}`);
  }
  for (const { type, actorId, networkId, senderId, _id, eventId } of appended) {
    // Flags that delete a message do so together.
    const hasNoActor = operation === 'flagMessage' && type === 'message.deleted';
    expect({ actorId, networkId, senderId, eventId }).toEqual({
      actorId: hasNoActor ? null : as,
      networkId: 'default',
      senderId: gateway.services.instanceId,
      eventId: _id.toHexString(),
    });
  }
}

const caused = new Set<string>();

/** What the table of causes says of the operations of these rows, and none of them that was run did. */
export function neverCaused(rows: readonly EventRow[]): string[] {
  const operations = new Set(rows.map(({ operation }) => operation));
  return Object.entries(EVENT_SOURCES)
    .flatMap(([type, causes]) => causes.filter((cause) => operations.has(cause)).map((cause) => `${cause} ${type}`))
    .filter((pair) => !caused.has(pair));
}

function causesEvents({ events = [], code }: Call): boolean {
  return code === undefined && (typeof events === 'function' || events.length > 0);
}

/** What cannot be told of does not happen: the events are written in the transaction of the change. */
async function refuseWithoutLog({ gateway, make }: World, operation: string, call: Call): Promise<void> {
  const { as = 'alice', input, select = 'clientMutationId' } = call;
  const before = await contentsOf(gateway);
  const logger = vi.spyOn(gateway.services.store.collections.events, 'insertMany');
  logger.mockRejectedValue(new Error('The log takes nothing.'));
  try {
    await expect(make(as, operation, input, select)).rejects.toThrow();
    expect(logger).toHaveBeenCalledTimes(1);
  } finally {
    logger.mockRestore();
  }
  expect(await contentsOf(gateway)).toEqual(before);
}

/** All records but those of a presence, which is noted whatever becomes of the call. */
async function contentsOf({ services: { store } }: TestGateway): Promise<{ [collection: string]: string[] }> {
  const { sessions: _, ...collections } = store.collections;
  const all = await Promise.all(
    Object.entries(collections).map(async ([name, collection]) => {
      const records = await collection.find({}).toArray();
      return [name, records.map((record) => JSON.stringify(record))] as const;
    }),
  );
  return Object.fromEntries(all);
}

async function log({ services }: TestGateway): Promise<EventRecord[]> {
  return services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
}

function told({ type, path, data }: EventRecord): Expected {
  return [type, path, data] as never;
}
