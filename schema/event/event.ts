import { definitionOf, EVENT_VERSION, EVENTS, type EventName, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

/** Starts with the event name, which the GraphQL names do not show: `message-feed.created` is `MESSAGE_FEED_CREATED`. */
export const eventDescription = (name: EventName): string => `\`${name}\`: ${EVENTS[name].meaning}.`;

export const EventType = restEnum<EventName>(
  'EventType',
  'Type of an event, named after the record and the change.',
  Object.fromEntries(REALTIME_NAMES.map((name) => [name, eventDescription(name)])) as { [Name in EventName]: string },
);

/** `message-feed` → `MessageFeed`, `postReaction` → `PostReaction`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[-.])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export const eventTypeName = (kind: EventKind): string => `${pascal(kind)}Event`;

export const Event = builder.interfaceRef<EventRoot>('Event').implement({
  description:
    'A committed change, told once, in the order of the commits, to whoever may see it at that moment. What it is about is read when it is told.',
  resolveType: ({ live }) => eventTypeName(EVENTS[live.event.type as keyof typeof EVENTS].kind),
  fields: (t) => ({
    id: t.string({ description: 'Id of the event; ids rise with time.', resolve: ({ live }) => live.event.eventId }),
    cursor: t.string({
      description: 'Its place in the log: give the newest one as `after` to go on from there.',
      resolve: ({ live }) => live.cursor,
    }),
    type: t.field({
      type: EventType,
      description: 'What happened.',
      resolve: ({ live }) => live.event.type as EventName,
    }),
    networkId: t.string({ description: 'The network.', resolve: ({ live }) => live.event.networkId }),
    path: t.string({ description: 'Topic: the path of what changed.', resolve: ({ live }) => live.event.path }),
    actorId: t.string({
      nullable: true,
      description:
        'Public id of the user who did it; null for what nobody signed in for, and for flags and votes, which are secret.',
      resolve: ({ live }) => (definitionOf(live.event.type)?.isAnonymous ? null : live.event.actorId),
    }),
    senderId: t.string({ description: 'The server that did it.', resolve: ({ live }) => live.event.senderId }),
    sendTime: t.field({ type: 'DateTime', description: 'When.', resolve: ({ live }) => live.event.createdAt }),
    version: t.string({ description: 'Version of the form of events.', resolve: () => EVENT_VERSION }),
  }),
});
