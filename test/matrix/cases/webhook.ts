import { prepareWebhooks, WEBHOOK_IDS } from '../../support/operations/webhook.ts';
import type { Fixtures } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';
import { prepareSetting } from '../prepare-setting.ts';

const situation = 'of the network';
const { endpointId, deliveryId } = WEBHOOK_IDS;

/** The only endpoint, with one delivery. */
async function prepared(fixtures: Fixtures): Promise<void> {
  const { collections } = fixtures.gateway.services.store;
  const { webhookEndpoints, webhookDeliveries, webhookBodies, events } = collections;
  const networkId = { $in: ['default', 'elsewhere'] };
  await Promise.all(
    [webhookEndpoints, webhookDeliveries, webhookBodies].map((one) => one.deleteMany({ networkId } as never)),
  );
  await events.deleteMany({ networkId: 'default', eventId: WEBHOOK_IDS.eventId });
  await prepareWebhooks(collections);
}

const READS: MatrixCase[] = [
  {
    operation: 'webhookEndpoint',
    situation,
    document: 'query ($endpointId: String!) { answer: webhookEndpoint(endpointId: $endpointId) { url } }',
    prepare: (fixtures) => prepared(fixtures).then(() => ({ endpointId })),
  },
  {
    operation: 'webhookEndpoints',
    situation,
    document: '{ answer: webhookEndpoints { edges { node { url } } } }',
    prepare: (fixtures) => prepared(fixtures).then(() => ({})),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  {
    operation: 'webhookDelivery',
    situation,
    document: 'query ($deliveryId: String!) { answer: webhookDelivery(deliveryId: $deliveryId) { state } }',
    prepare: (fixtures) => prepared(fixtures).then(() => ({ deliveryId })),
  },
];

const onEndpoint = (operation: string, select: string, more: object = {}): MatrixCase =>
  mutationCase(operation, situation, {
    select,
    prepare: (fixtures) => prepared(fixtures).then(() => ({ endpointId, ...more })),
  });

const CHANGES: MatrixCase[] = [
  mutationCase('switchWebhooks', 'on or off', {
    select: 'enabled',
    prepare: async (fixtures, actor) => {
      await prepareSetting(fixtures, actor, { path: 'webhook.enabled', value: false });
      return { enabled: true };
    },
    rest: ({ input }) => ({ method: 'PUT', path: '/api/v3/network-settings/webhook', body: input as object }),
  }),
  mutationCase('createWebhookEndpoint', 'a new one', {
    select: 'endpoint { endpointId }',
    prepare: (fixtures) => prepared(fixtures).then(() => ({ url: 'https://1.1.1.1/', events: ['v3.post.didCreate'] })),
  }),
  onEndpoint('updateWebhookEndpoint', 'endpoint { url }', { method: 'GET' }),
  onEndpoint('deleteWebhookEndpoint', 'endpoint { url }'),
  mutationCase('enableWebhookEndpoint', situation, {
    select: 'endpoint { url }',
    async prepare(fixtures) {
      await prepared(fixtures);
      const { webhookEndpoints } = fixtures.gateway.services.store.collections;
      await webhookEndpoints.updateOne({ networkId: 'default', endpointId }, { $set: { enabled: false } });
      return { endpointId };
    },
  }),
  onEndpoint('disableWebhookEndpoint', 'endpoint { url }'),
  onEndpoint('rotateWebhookSecret', 'secret'),
  onEndpoint('sendTestPing', 'delivery { state }'),
  mutationCase('replayWebhookDelivery', situation, {
    select: 'delivery { state }',
    prepare: (fixtures) => prepared(fixtures).then(() => ({ deliveryId })),
  }),
  onEndpoint('replayWebhookEvents', 'count', { from: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' }),
];

/** Cases of webhook endpoints and deliveries. */
export const WEBHOOK_CASES: MatrixCase[] = [...READS, ...CHANGES];
