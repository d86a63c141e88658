import { replayWebhookDelivery } from '../../src/domain/webhook/send-again.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

mutationField(
  'replayWebhookDelivery',
  {
    description: 'Which delivery.',
    inputFields: (t) => ({ deliveryId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends a delivery again, whatever became of it: the same bytes under the same `webhook-id`.',
    errors: {},
    resolve: async (_, { input }, context) => ({ delivery: await replayWebhookDelivery(context, input) }),
  },
  {
    description: 'The delivery, which begins anew.',
    outputFields: (t) => ({
      delivery: t.expose('delivery', { type: WebhookDelivery, description: 'The delivery.' }),
    }),
  },
);
