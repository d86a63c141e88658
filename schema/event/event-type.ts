import type { ObjectFieldsShape } from '@pothos/core';
import { EVENTS, namesOf } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { Event, eventDescription, eventTypeName, pascal } from './event.ts';

interface EventTypeOptions {
  /** What its events are about, as the end of a sentence. */
  about: string;
  /** The records, each read from the event's payload by {@link fromPayload}. */
  fields: ObjectFieldsShape<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, EventRoot>;
}

/** Declares the type of a kind of event, and a subscription for each event of that kind. */
export function eventType(kind: EventKind, { about, fields }: EventTypeOptions): void {
  const type = builder.objectRef<EventRoot>(eventTypeName(kind));
  type.implement({ description: `Something happened to ${about}.`, interfaces: [Event], fields });
  for (const name of namesOf(kind).filter((one) => EVENTS[one].realtime)) {
    builder.subscriptionField(subscriptionName(name), (t) =>
      t.field({
        type,
        description: eventDescription(name),
        args: subscriptionArgs(),
        subscribe: elsewhere,
        resolve: (root) => root as EventRoot,
      }),
    );
  }
}

/** `post.addReaction` → `postAddReaction`, `marker.userFeed-updated` → `markerUserFeedUpdated`. */
export function subscriptionName(event: string): string {
  const name = pascal(event);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** What the event's scene read, by name. */
export function fromPayload<Value>(name: string) {
  return ({ payload }: EventRoot) => payload[name] as Value;
}

export const subscriptionArgs = () =>
  builder.args((t) => ({ topic: t.string({ description: TOPIC }), after: t.string({ description: AFTER }) }));

const TOPIC =
  'Only of this path, such as the `path` of a community. `+` stands for any one part of it, `#` at the end for what is there and everything below. Absent: everything that the viewer may see.';
const AFTER =
  'Cursor of the last event that was received: what was missed comes first, then what happens. Absent: from now on. Too old a cursor is refused with CURSOR_EXPIRED.';

/** Every door hands events out by the fan-out, which runs only what stands below the field. */
export function elsewhere(): never {
  throw new Error('Events are handed out by the fan-out, not by the schema.');
}
