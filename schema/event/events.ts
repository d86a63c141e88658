import { viewerOf } from '../../src/context.ts';
import { UnavailableError } from '../../src/database-errors.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { builder } from '../builder.ts';
import { Event, EventType } from './event.ts';
import { elsewhere, subscriptionArgs } from './event-type.ts';

builder.subscriptionType({
  description: 'What happens, told as it happens to whoever may see it: over websockets, and over server-sent events.',
});

builder.subscriptionField('events', (t) =>
  t.field({
    type: Event,
    description: 'Everything that happens, or some kinds of it.',
    args: {
      types: t.arg({ type: [EventType], description: 'Only these. Absent: all.' }),
      ...subscriptionArgs(),
    },
    subscribe: elsewhere,
    resolve: (root) => root as EventRoot,
  }),
);

builder.queryField('eventCursor', (t) =>
  t.string({
    description:
      'Where the log of events is now. To read a state and miss nothing after it: ask for this first, then read, then subscribe `after` it.',
    resolve: (_, _args, context) => {
      viewerOf(context);
      const { position } = context.events;
      if (position === null) throw new UnavailableError('starting');
      return position;
    },
  }),
);
