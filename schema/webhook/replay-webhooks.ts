import { endpointIdInput } from '../../src/domain/webhook/endpoint-input.ts';
import { replayWebhookEvents, replayWebhookEventsInput } from '../../src/domain/webhook/replay-events.ts';
import {
  replayWebhookDelivery,
  replayWebhookDeliveryInput,
  sendTestPing,
} from '../../src/domain/webhook/send-again.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

mutationField(
  'sendTestPing',
  inputOf(endpointIdInput),
  {
    description: 'Sends the test message `webhook.ping` to an endpoint, without retries.',
    resolve: async (_, { input }, context) => ({ delivery: await sendTestPing(context, input) }),
  },
  {
    outputFields: (t) => ({
      delivery: t.expose('delivery', {
        type: WebhookDelivery,
        description: 'The pending delivery; query it again to see its outcome.',
      }),
    }),
  },
);

mutationField(
  'replayWebhookDelivery',
  inputOf(replayWebhookDeliveryInput),
  {
    description:
      'Sends a delivery again, whether it succeeded or failed: the same bytes under the same `webhook-id`. `CONFLICT` during an attempt.',
    resolve: async (_, { input }, context) => ({ delivery: await replayWebhookDelivery(context, input) }),
  },
  {
    outputFields: (t) => ({
      delivery: t.expose('delivery', { type: WebhookDelivery, description: 'The delivery, pending again.' }),
    }),
  },
);

mutationField(
  'replayWebhookEvents',
  inputOf(replayWebhookEventsInput),
  {
    description:
      'Sends the events of a period to which the endpoint subscribes, including events that it missed or received before. Each call reads at most 1,000 events.',
    resolve: (_, { input }, context) => replayWebhookEvents(context, input),
  },
  {
    outputFields: (t) => ({
      count: t.exposeInt('count', { description: 'Number of deliveries that were queued.' }),
      next: t.exposeString('next', {
        nullable: true,
        description: 'Pass it as `after` to continue; null at the end of the period.',
      }),
    }),
  },
);
