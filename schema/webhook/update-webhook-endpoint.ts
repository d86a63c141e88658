import { updateWebhookEndpoint } from '../../src/domain/webhook/update-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { endpointPayload } from './endpoint-changes.ts';
import { checkSelectionOf } from './selection.ts';
import { WebhookMethod } from './webhook-endpoint.ts';

mutationField(
  'updateWebhookEndpoint',
  {
    description: 'Which endpoint, and what to change. What is absent stays.',
    inputFields: (t) => ({
      endpointId: t.string({ required: true, description: 'Public id.' }),
      url: t.string({ description: 'http or https, without credentials; no private address.' }),
      events: t.stringList({ description: 'Names of what it is told.' }),
      method: t.field({ type: WebhookMethod, description: 'HTTP method.' }),
      accessToken: t.string({
        description: 'A new access token; null takes it away, and so does a URL of another origin.',
      }),
      selection: t.string({ description: 'A new GraphQL document; null goes back to the documented body.' }),
    }),
  },
  {
    description: 'Changes a webhook endpoint. What waits to be sent goes to where it leads from now on.',
    errors: {},
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await updateWebhookEndpoint(context, input, checkSelectionOf(schema)),
    }),
  },
  endpointPayload,
);
