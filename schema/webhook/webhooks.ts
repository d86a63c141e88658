import { getWebhookDelivery, listWebhookDeliveries, listWebhookEndpoints } from '../../src/domain/webhook/delivery.ts';
import { getWebhookEndpoint } from '../../src/domain/webhook/endpoint.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { WebhookDelivery, WebhookDeliveryState } from './webhook-delivery.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

const WebhookEndpointConnection = connectionType(WebhookEndpoint, 'webhook endpoints');
const WebhookDeliveryConnection = connectionType(WebhookDelivery, 'webhook deliveries');

builder.objectField(WebhookEndpoint, 'deliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      description: 'Deliveries to the endpoint, newest first.',
      args: { state: t.arg({ type: WebhookDeliveryState, description: 'Only deliveries in this state.' }) },
      resolve: async ({ endpointId }, { state, ...args }, context) =>
        toConnection(await listWebhookDeliveries(context, { endpointId, state, request: pageRequest(args) })),
    },
    WebhookDeliveryConnection,
  ),
);

builder.queryFields((t) => ({
  webhookEndpoint: t.field({
    type: WebhookEndpoint,
    nullable: true,
    description: 'A webhook endpoint by its public id.',
    args: { endpointId: t.arg.string({ required: true, description: 'Public id of the endpoint.' }) },
    resolve: (_, args, context) => getWebhookEndpoint(context, args),
  }),
  webhookEndpoints: t.connection(
    {
      type: WebhookEndpoint,
      description: 'Webhook endpoints of the network, oldest first.',
      resolve: async (_, args, context) => toConnection(await listWebhookEndpoints(context, pageRequest(args))),
    },
    WebhookEndpointConnection,
  ),
  webhookDelivery: t.field({
    type: WebhookDelivery,
    nullable: true,
    description: 'A delivery by its public id.',
    args: { deliveryId: t.arg.string({ required: true, description: 'Public id of the delivery.' }) },
    resolve: (_, args, context) => getWebhookDelivery(context, args),
  }),
}));
