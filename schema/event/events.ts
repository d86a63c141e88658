import { viewerOf } from '../../src/context.ts';
import { UnavailableError } from '../../src/database-errors.ts';
import { REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder } from '../builder.ts';
import { Event, EventType } from './event.ts';
import { subscriptionArgs } from './event-type.ts';
import { streamEvents } from './stream-events.ts';

builder.subscriptionType({
  description: `Events, delivered over WebSocket or server-sent events as soon as they are committed, to users with access.

\`topic\` limits a subscription to events with a matching \`path\`, such as the path of a community: \`+\` matches one part of the path, and a final \`#\` matches the path before it and everything below.

\`after\` resumes a subscription: events committed after the cursor are delivered first, then new events. CURSOR_EXPIRED: the log no longer reaches back to the cursor; refetch the data, then subscribe without \`after\`.`,
});

builder.subscriptionField('events', (t) =>
  t.field({
    type: Event,
    description: 'Events of all types, or of the given types.',
    args: {
      types: t.arg({ type: [EventType], description: 'Types to deliver. Default: all.' }),
      ...subscriptionArgs(),
    },
    subscribe: (_, { types, ...args }, context) => streamEvents(context, types ?? REALTIME_NAMES, args),
    resolve: (root) => root as EventRoot,
  }),
);

builder.queryField('eventCursor', (t) =>
  t.string({
    description:
      'Position up to which the server has read the event log; events of changes acknowledged just before may follow it. To load a state without missing later changes, query this first, then the state, then subscribe `after` this cursor.',
    resolve: (_, _args, context) => {
      viewerOf(context);
      const { position } = context.events;
      if (position === null) throw new UnavailableError('starting');
      return position;
    },
  }),
);
