import { type WebhookEndpoint as Endpoint, secretToTell } from '../../src/domain/webhook/endpoint.ts';
import type { SchemaTypes } from '../builder.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

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
