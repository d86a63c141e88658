import { replayWebhookEvents } from '../../src/domain/webhook/replay-events.ts';
import { replayWebhookDelivery, sendTestPing } from '../../src/domain/webhook/send-again.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

mutationField(
  'sendTestPing',
  {
    description: 'To which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends `webhook.ping` to an endpoint, once: a message that means nothing.',
    resolve: async (_, { input }, context) => ({ delivery: await sendTestPing(context, input) }),
  },
  {
    description: 'The delivery, which is on its way.',
    outputFields: (t) => ({
      delivery: t.expose('delivery', {
        type: WebhookDelivery,
        description: 'Ask for it again to see what came of it.',
      }),
    }),
  },
);

mutationField(
  'replayWebhookDelivery',
  {
    description: 'Which delivery.',
    inputFields: (t) => ({ deliveryId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends a delivery again, whatever became of it: the same bytes under the same `webhook-id`.',
    resolve: async (_, { input }, context) => ({ delivery: await replayWebhookDelivery(context, input) }),
  },
  {
    description: 'The delivery, which begins anew.',
    outputFields: (t) => ({
      delivery: t.expose('delivery', { type: WebhookDelivery, description: 'The delivery.' }),
    }),
  },
);

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
