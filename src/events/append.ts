import { type ClientSession, ObjectId } from 'mongodb';
import type { Context } from '../context.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { EventData, EventName } from './catalogue.ts';

/** An event as the operation that causes it knows it. */
export type NewEvent = {
  [Name in EventName]: {
    type: Name;
    /** The path of the record that changed. */
    path: string;
    data: EventData<Name>;
    /** Whether it came about by what others did, each a part of it. */
    hasNoActor?: boolean;
  };
}[EventName];

const DAY_MS = 86_400_000;

/**
 * Writes events in the transaction that causes them, so that each is there once when the change is, and never without
 * it. One command, whatever their number. Call it last: what waits for a turn at the log waits shortest then.
 */
export async function append(context: Context, session: ClientSession, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { config, viewer, instanceId, store } = context;
  const now = context.now();
  const expiresAt = new Date(now.getTime() + config.EVENT_DAYS * DAY_MS);
  const records = events.map(({ type, path, data, hasNoActor }): EventRecord => {
    const _id = new ObjectId();
    return {
      _id,
      eventId: _id.toHexString(),
      // Every path begins with it, also where nobody has signed in yet.
      networkId: path.slice(0, path.indexOf('/')),
      type,
      path,
      data,
      actorId: hasNoActor ? null : (viewer?.userId ?? null),
      senderId: instanceId,
      createdAt: now,
      updatedAt: now,
      expiresAt,
    };
  });
  await store.collections.events.insertMany(records, { session });
}
