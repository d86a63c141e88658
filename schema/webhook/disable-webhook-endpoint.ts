import { disableWebhookEndpoint } from '../../src/domain/webhook/change-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { endpointPayload } from './endpoint-changes.ts';

mutationField(
  'disableWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends nothing to an endpoint, and puts nothing new in, until it is enabled.',
    errors: {},
    resolve: async (_, { input }, context) => ({ endpoint: await disableWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);
