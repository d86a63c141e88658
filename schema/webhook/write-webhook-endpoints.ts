import { switchWebhooks } from '../../src/domain/network/switch-webhooks.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  rotateWebhookSecret,
} from '../../src/domain/webhook/change-endpoint.ts';
import { createWebhookEndpoint } from '../../src/domain/webhook/create-endpoint.ts';
import { type WebhookEndpoint as Endpoint, secretToTell } from '../../src/domain/webhook/endpoint.ts';
import { updateWebhookEndpoint } from '../../src/domain/webhook/update-endpoint.ts';
import type { SchemaTypes } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { checkSelectionOf } from './selection.ts';
import { WebhookEndpoint, WebhookMethod } from './webhook-endpoint.ts';

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { endpoint: Endpoint }
>;

/** What mutations of an endpoint answer. */
export const endpointPayload = {
  description: 'The endpoint as it is now.',
  outputFields: (t: PayloadBuilder) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpoint, description: 'The endpoint.' }),
  }),
};

/** What those answer that make a secret. */
export const secretPayload = {
  description: 'The endpoint as it is now, with its new secret.',
  outputFields: (t: PayloadBuilder) => ({
    ...endpointPayload.outputFields(t),
    secret: t.string({
      nullable: true,
      description:
        'The new secret, `whsec_…`. Told this once: null when the mutation is sent again under its `clientMutationId`.',
      resolve: ({ endpoint }) => secretToTell(endpoint),
    }),
  }),
};

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
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await createWebhookEndpoint(context, input, checkSelectionOf(schema)),
    }),
  },
  secretPayload,
);

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
    resolve: async (_, { input }, context, { schema }) => ({
      endpoint: await updateWebhookEndpoint(context, input, checkSelectionOf(schema)),
    }),
  },
  endpointPayload,
);

mutationField(
  'deleteWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Removes a webhook endpoint and its secrets; what waits for it is never sent.',
    resolve: async (_, { input }, context) => ({ endpoint: await deleteWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);

mutationField(
  'enableWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends to a disabled endpoint again; what waited since goes out at once.',
    resolve: async (_, { input }, context) => ({ endpoint: await enableWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);

mutationField(
  'disableWebhookEndpoint',
  {
    description: 'Which endpoint.',
    inputFields: (t) => ({ endpointId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Sends nothing to an endpoint, and puts nothing new in, until it is enabled.',
    resolve: async (_, { input }, context) => ({ endpoint: await disableWebhookEndpoint(context, input) }),
  },
  endpointPayload,
);

mutationField(
  'rotateWebhookSecret',
  {
    description: 'Which endpoint, and how long the old secret stays.',
    inputFields: (t) => ({
      endpointId: t.string({ required: true, description: 'Public id.' }),
      keepHours: t.int({
        description: 'Hours for which deliveries are signed with the old secret too: 0 to 168, 24 unless told.',
      }),
    }),
  },
  {
    description:
      'Makes a new secret. Until the old one ends deliveries carry a signature of each, so that the receiver can change over.',
    resolve: async (_, { input }, context) => ({ endpoint: await rotateWebhookSecret(context, input) }),
  },
  secretPayload,
);

mutationField(
  'switchWebhooks',
  {
    description: 'On or off.',
    inputFields: (t) => ({
      enabled: t.boolean({ required: true, description: 'Whether what happens is told to webhooks.' }),
    }),
  },
  {
    description: 'Switches all webhooks of the network on or off. What was put in before is still sent.',
    resolve: (_, { input }, context) => switchWebhooks(context, input),
  },
  {
    description: 'The setting as it is now.',
    outputFields: (t) => ({
      enabled: t.exposeBoolean('enabled', { description: 'Whether what happens is told to webhooks.' }),
    }),
  },
);
