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
      description: 'What was sent to it or will be, the newest first.',
      args: { state: t.arg({ type: WebhookDeliveryState, description: 'Only those in this state.' }) },
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
    description: 'One webhook endpoint by public id.',
    args: { endpointId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getWebhookEndpoint(context, args),
  }),
  webhookEndpoints: t.connection(
    {
      type: WebhookEndpoint,
      description: 'The webhook endpoints of the network, in the order in which they were made.',
      resolve: async (_, args, context) => toConnection(await listWebhookEndpoints(context, pageRequest(args))),
    },
    WebhookEndpointConnection,
  ),
  webhookDelivery: t.field({
    type: WebhookDelivery,
    nullable: true,
    description: 'One delivery by public id.',
    args: { deliveryId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getWebhookDelivery(context, args),
  }),
}));
