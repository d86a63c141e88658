import { type ClientSession, ObjectId } from 'mongodb';
import type { Context } from '../context.ts';
import type { EventRecord } from '../store/records/event.ts';
import { insertInto } from '../store/write-together.ts';
import type { EventData, EventName } from './catalogue.ts';

/** An event that an operation reports, before it is stored. */
export type NewEvent = {
  [Name in EventName]: {
    type: Name;
    /** Path of the record that changed; subscribers filter by it as the topic. */
    path: string;
    data: EventData<Name>;
    /** Whether no single user caused it: for example, a message that is deleted after flags by several users. */
    hasNoActor?: boolean;
  };
}[EventName];

const DAY_MS = 86_400_000;

const commitIds = new WeakMap<ClientSession, string>();

/** The id of the transaction of a session: every attempt of a transaction has a session of its own. */
function commitIdOf(session: ClientSession): string {
  const known = commitIds.get(session);
  if (known !== undefined) return known;
  const commitId = new ObjectId().toHexString();
  commitIds.set(session, commitId);
  return commitId;
}

/**
 * Appends events to the log in the transaction of the change that they report, so that either both are committed or
 * neither is. Inserts all events with one command. Call it together with the last statements of a transaction; after those
 * that change sessions, memberships or roles, which the reader of the log must see first.
 *
 * @param options.actorId the user who caused them. @default the viewer
 */
export async function appendEvents(
  context: Context,
  session: ClientSession,
  events: readonly NewEvent[],
  { actorId = context.viewer?.userId ?? null }: { actorId?: string | null } = {},
): Promise<void> {
  if (events.length === 0) return;
  const { config, instanceId, store } = context;
  const now = context.now();
  const expiresAt = new Date(now.getTime() + config.EVENT_DAYS * DAY_MS);
  const commitId = commitIdOf(session);
  const records = events.map(({ type, path, data, hasNoActor }): EventRecord => {
    const _id = new ObjectId();
    return {
      _id,
      eventId: _id.toHexString(),
      commitId,
      // Taken from the path, because some events occur before a viewer is signed in.
      networkId: path.slice(0, path.indexOf('/')),
      type,
      path,
      data,
      actorId: hasNoActor ? null : actorId,
      senderId: instanceId,
      createdAt: now,
      updatedAt: now,
      expiresAt,
    };
  });
  await insertInto(store.collections.events, records, session);
}
