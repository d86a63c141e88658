import { createWebhookEndpoint } from '../../src/domain/webhook/create-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { secretPayload } from './endpoint-changes.ts';
import { checkSelectionOf } from './selection.ts';
import { WebhookMethod } from './webhook-endpoint.ts';

mutationField(
  'createWebhookEndpoint',
  {
    description: 'What is to be sent, and where.',
    inputFields: (t) => ({
      url: t.string({
        required: true,
        description: 'http or https, without credentials, at most 2,000 characters; no private address.',
      }),
      events: t.stringList({ required: true, description: 'Names of what it is told, such as `v3.post.didCreate`.' }),
      method: t.field({ type: WebhookMethod, description: 'POST unless told.' }),
      accessToken: t.string({
        description: 'Sent as `Authorization: Bearer` with the two push notifications; never told again.',
      }),
      selection: t.string({
        description:
          'GraphQL document whose subscriptions select the body, at most 10,000 characters. Absent: the documented body.',
      }),
    }),
  },
  {
    description: 'Adds a webhook endpoint to the network, enabled.',
    errors: {},
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await createWebhookEndpoint(context, input, checkSelectionOf(schema)),
    }),
  },
  secretPayload,
);
