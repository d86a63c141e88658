import { definitionOf, EVENT_VERSION, EVENTS, type EventName, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

/** Starts with the event name, because the GraphQL enum spells it differently: `message-feed.created` is `MESSAGE_FEED_CREATED`. */
export const eventDescription = (name: EventName): string => `\`${name}\`: ${EVENTS[name].meaning}.`;

export const EventType = restEnum<EventName>(
  'EventType',
  'The kind of record and the change that an event reports.',
  Object.fromEntries(REALTIME_NAMES.map((name) => [name, eventDescription(name)])) as { [Name in EventName]: string },
);

/** `message-feed` → `MessageFeed`, `postReaction` → `PostReaction`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[-.])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export const eventTypeName = (kind: EventKind): string => `${pascal(kind)}Event`;

export const Event = builder.interfaceRef<EventRoot>('Event').implement({
  description:
    'A committed change. Events are delivered once, in commit order, to users with access at the time of delivery, and contain the records as they are at that time.',
  resolveType: ({ live }) => eventTypeName(EVENTS[live.event.type as keyof typeof EVENTS].kind),
  fields: (t) => ({
    id: t.string({
      description: 'Id of the event; ids increase with time.',
      resolve: ({ live }) => live.event.eventId,
    }),
    cursor: t.string({
      description: 'Position in the event log: pass the last one as `after` to resume.',
      resolve: ({ live }) => live.cursor,
    }),
    type: t.field({
      type: EventType,
      description: 'What happened.',
      resolve: ({ live }) => live.event.type as EventName,
    }),
    networkId: t.string({ description: 'Id of the network.', resolve: ({ live }) => live.event.networkId }),
    path: t.string({
      description: 'Path of the changed record, which `topic` filters by.',
      resolve: ({ live }) => live.event.path,
    }),
    actorId: t.string({
      nullable: true,
      description:
        'Public id of the acting user; null for changes without a signed-in user, and for flags and votes, which are secret.',
      resolve: ({ live }) => (definitionOf(live.event.type)?.isAnonymous ? null : live.event.actorId),
    }),
    senderId: t.string({
      description: 'Id of the server that made the change.',
      resolve: ({ live }) => live.event.senderId,
    }),
    sendTime: t.field({
      type: 'DateTime',
      description: 'Time of the change.',
      resolve: ({ live }) => live.event.createdAt,
    }),
    version: t.string({ description: 'Version of the event format.', resolve: () => EVENT_VERSION }),
  }),
});
