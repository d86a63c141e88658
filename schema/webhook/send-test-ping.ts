import { sendTestPing } from '../../src/domain/webhook/send-again.ts';
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
    errors: {},
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
