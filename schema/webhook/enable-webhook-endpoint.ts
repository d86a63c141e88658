import { enableWebhookEndpoint } from '../../src/domain/webhook/change-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { endpointPayload } from './endpoint-changes.ts';

mutationField(
  'enableWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends to a disabled endpoint again; what waited since goes out at once.',
    errors: {},
    resolve: async (_, { input }, context) => ({ endpoint: await enableWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);
