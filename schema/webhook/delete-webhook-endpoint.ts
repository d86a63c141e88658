import { deleteWebhookEndpoint } from '../../src/domain/webhook/change-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { endpointPayload } from './endpoint-changes.ts';

mutationField(
  'deleteWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Removes a webhook endpoint and its secrets; what waits for it is never sent.',
    errors: {},
    resolve: async (_, { input }, context) => ({ endpoint: await deleteWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);
