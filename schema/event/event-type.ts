import type { ObjectFieldsShape } from '@pothos/core';
import { EVENTS, namesOf } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { Event, eventDescription, eventTypeName, pascal } from './event.ts';
import { streamEvents } from './stream-events.ts';

interface EventTypeOptions {
  /** What the events are about; completes the description "A change of …". */
  about: string;
  /** The records, each read from the event's payload by {@link fromPayload}. */
  fields: ObjectFieldsShape<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, EventRoot>;
}

/** Declares the type of a kind of event, and a subscription for each event of that kind. */
export function eventType(kind: EventKind, { about, fields }: EventTypeOptions): void {
  const type = builder.objectRef<EventRoot>(eventTypeName(kind));
  type.implement({ description: `A change of ${about}.`, interfaces: [Event], fields });
  for (const name of namesOf(kind).filter((one) => EVENTS[one].realtime)) {
    builder.subscriptionField(subscriptionName(name), (t) =>
      t.field({
        type,
        description: eventDescription(name),
        args: subscriptionArgs(),
        subscribe: (_, args, context) => streamEvents(context, [name], args),
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

/** Resolves a field from the event's payload, by name. */
export function fromPayload<Value>(name: string) {
  return ({ payload }: EventRoot) => payload[name] as Value;
}

export const subscriptionArgs = () =>
  builder.args((t) => ({ topic: t.string({ description: TOPIC }), after: t.string({ description: AFTER }) }));

const TOPIC = 'Topic filter, see `Subscription`. Default: all events visible to the viewer.';
const AFTER = 'Cursor to resume after, see `Subscription`. Default: from now on.';
