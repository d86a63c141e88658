import { prepareWebhooks, WEBHOOK_IDS } from '../../support/operations/webhook.ts';
import { mutationScene, type Scene } from '../scene.ts';
import type { World } from '../world.ts';

const situation = 'of the network';
const { endpointId, deliveryId } = WEBHOOK_IDS;

/** One endpoint with one delivery, and no others. */
async function prepared(world: World): Promise<void> {
  const { collections } = world.gateway.services.store;
  const { webhookEndpoints, webhookDeliveries, events } = collections;
  const networkId = { $in: ['default', 'elsewhere'] };
  await Promise.all([webhookEndpoints, webhookDeliveries].map((one) => one.deleteMany({ networkId } as never)));
  await events.deleteMany({ networkId: 'default', eventId: WEBHOOK_IDS.eventId });
  await prepareWebhooks(collections);
}

const READS: Scene[] = [
  {
    operation: 'webhookEndpoint',
    situation,
    document: 'query ($endpointId: String!) { answer: webhookEndpoint(endpointId: $endpointId) { url } }',
    prepare: (world) => prepared(world).then(() => ({ endpointId })),
  },
  {
    operation: 'webhookEndpoints',
    situation,
    document: '{ answer: webhookEndpoints { edges { node { url } } } }',
    prepare: (world) => prepared(world).then(() => ({})),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  {
    operation: 'webhookDelivery',
    situation,
    document: 'query ($deliveryId: String!) { answer: webhookDelivery(deliveryId: $deliveryId) { state } }',
    prepare: (world) => prepared(world).then(() => ({ deliveryId })),
  },
];

const onEndpoint = (operation: string, select: string, more: object = {}): Scene =>
  mutationScene(operation, situation, {
    select,
    prepare: (world) => prepared(world).then(() => ({ endpointId, ...more })),
  });

const CHANGES: Scene[] = [
  mutationScene('switchWebhooks', 'on or off', {
    select: 'enabled',
    prepare: () => ({ enabled: true }),
    rest: ({ input }) => ({ method: 'PUT', path: '/api/v3/network-settings/webhook', body: input as object }),
  }),
  mutationScene('createWebhookEndpoint', 'a new one', {
    select: 'endpoint { endpointId }',
    prepare: (world) => prepared(world).then(() => ({ url: 'https://1.1.1.1/', events: ['v3.post.didCreate'] })),
  }),
  onEndpoint('updateWebhookEndpoint', 'endpoint { url }', { method: 'GET' }),
  onEndpoint('deleteWebhookEndpoint', 'endpoint { url }'),
  onEndpoint('enableWebhookEndpoint', 'endpoint { url }'),
  onEndpoint('disableWebhookEndpoint', 'endpoint { url }'),
  onEndpoint('rotateWebhookSecret', 'secret'),
  onEndpoint('sendTestPing', 'delivery { state }'),
  mutationScene('replayWebhookDelivery', situation, {
    select: 'delivery { state }',
    prepare: (world) => prepared(world).then(() => ({ deliveryId })),
  }),
  onEndpoint('replayWebhookEvents', 'count', { from: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' }),
];

/** Scenes of webhook endpoints and deliveries. */
export const WEBHOOK_SCENES: Scene[] = [...READS, ...CHANGES];
