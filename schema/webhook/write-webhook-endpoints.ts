import { switchWebhooks, switchWebhooksInput } from '../../src/domain/settings/switch-webhooks.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  rotateWebhookSecret,
  rotateWebhookSecretInput,
} from '../../src/domain/webhook/change-endpoint.ts';
import { createWebhookEndpoint, createWebhookEndpointInput } from '../../src/domain/webhook/create-endpoint.ts';
import { type WebhookEndpoint as Endpoint, newSecretOf } from '../../src/domain/webhook/endpoint.ts';
import { endpointIdInput } from '../../src/domain/webhook/endpoint-input.ts';
import { updateWebhookEndpoint, updateWebhookEndpointInput } from '../../src/domain/webhook/update-endpoint.ts';
import type { SchemaTypes } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { checkSelectionOf } from './selection.ts';
import { WebhookEndpoint, WebhookMethod } from './webhook-endpoint.ts';

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { endpoint: Endpoint }
>;

const ENDPOINT_PAYLOAD = {
  outputFields: (t: PayloadBuilder) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpoint, description: 'The endpoint after the change.' }),
  }),
};

const SECRET_PAYLOAD = {
  outputFields: (t: PayloadBuilder) => ({
    ...ENDPOINT_PAYLOAD.outputFields(t),
    secret: t.string({
      nullable: true,
      description:
        'The new secret, `whsec_…`. Returned only this once: null when the mutation is repeated with the same `idempotencyKey`.',
      resolve: ({ endpoint }) => newSecretOf(endpoint),
    }),
  }),
};

mutationField(
  'createWebhookEndpoint',
  inputOf(createWebhookEndpointInput, { method: WebhookMethod }),
  {
    description: 'Adds an enabled webhook endpoint to the network.',
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await createWebhookEndpoint(context, input, checkSelectionOf(schema, context.acceptsDocument)),
    }),
  },
  SECRET_PAYLOAD,
);

mutationField(
  'updateWebhookEndpoint',
  inputOf(updateWebhookEndpointInput, { method: WebhookMethod }),
  {
    description:
      'Changes a webhook endpoint. Omitted fields stay unchanged. Queued deliveries are sent to the new URL.',
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await updateWebhookEndpoint(context, input, checkSelectionOf(schema, context.acceptsDocument)),
    }),
  },
  ENDPOINT_PAYLOAD,
);

mutationField(
  'deleteWebhookEndpoint',
  inputOf(endpointIdInput),
  {
    description: 'Deletes a webhook endpoint and its secrets. Queued deliveries are never sent.',
    resolve: async (_, { input }, context) => ({ endpoint: await deleteWebhookEndpoint(context, input) }),
  },
  ENDPOINT_PAYLOAD,
);

mutationField(
  'enableWebhookEndpoint',
  inputOf(endpointIdInput),
  {
    description: 'Enables a disabled endpoint and sends its queued deliveries.',
    resolve: async (_, { input }, context) => ({ endpoint: await enableWebhookEndpoint(context, input) }),
  },
  ENDPOINT_PAYLOAD,
);

mutationField(
  'disableWebhookEndpoint',
  inputOf(endpointIdInput),
  {
    description: 'Disables an endpoint: nothing is sent to it, and nothing is queued, until it is enabled.',
    resolve: async (_, { input }, context) => ({ endpoint: await disableWebhookEndpoint(context, input) }),
  },
  ENDPOINT_PAYLOAD,
);

mutationField(
  'rotateWebhookSecret',
  inputOf(rotateWebhookSecretInput),
  {
    description:
      'Creates a new secret. Until the previous one expires, deliveries carry a signature of each, so that the receiver can switch to it.',
    resolve: async (_, { input }, context) => ({ endpoint: await rotateWebhookSecret(context, input) }),
  },
  SECRET_PAYLOAD,
);

mutationField(
  'switchWebhooks',
  inputOf(switchWebhooksInput),
  {
    description: 'Switches all webhooks of the network on or off. Deliveries that are queued are still sent.',
    resolve: (_, { input }, context) => switchWebhooks(context, input),
  },
  {
    outputFields: (t) => ({
      enabled: t.exposeBoolean('enabled', { description: 'Whether webhooks are sent.' }),
    }),
  },
);
