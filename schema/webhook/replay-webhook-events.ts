import { replayWebhookEvents } from '../../src/domain/webhook/replay-events.ts';
import { mutationField } from '../shared/mutation-field.ts';

mutationField(
  'replayWebhookEvents',
  {
    description: 'To which endpoint, and which events.',
    inputFields: (t) => ({
      endpointId: t.string({ required: true, description: 'Public id.' }),
      from: t.field({ type: 'DateTime', required: true, description: 'Events from this moment on.' }),
      until: t.field({ type: 'DateTime', required: true, description: 'Events up to this moment.' }),
      after: t.string({ description: 'The `next` of the answer before, to go on.' }),
    }),
  },
  {
    description:
      'Sends the events of a stretch of time that the endpoint is told of, also what it has missed or had before. Looks at 1,000 events a call.',
    errors: {},
    resolve: (_, { input }, context) => replayWebhookEvents(context, input),
  },
  {
    description: 'How many will be sent.',
    outputFields: (t) => ({
      count: t.exposeInt('count', { description: 'Deliveries that begin, or begin anew.' }),
      next: t.exposeString('next', {
        nullable: true,
        description: 'Give it as `after` to go on; null: all of it was looked at.',
      }),
    }),
  },
);
