import { canManageWebhooks } from '../../src/access/webhook.ts';
import { viewerOf } from '../../src/context.ts';
import { deliveryIdOf, getWebhookDelivery, webhookBodyOf } from '../../src/domain/webhook/delivery.ts';
import type { WebhookAttempt as Attempt, WebhookDeliveryRecord } from '../../src/store/records/webhook.ts';
import { webhookIdOf } from '../../src/webhooks/names.ts';
import { MAX_ATTEMPTS } from '../../src/webhooks/schedule.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';

export const WebhookDelivery = nodeType<WebhookDeliveryRecord>('WebhookDelivery', {
  description: 'Delivery of an event to a webhook endpoint. Retained for at least a week.',
  id: deliveryIdOf,
  load: (context, deliveryId) => getWebhookDelivery(context, { deliveryId }),
  // Deleted deliveries remain visible in repeated responses: only the permission decides.
  sees: async (context) => canManageWebhooks(viewerOf(context)),
});

export const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'State of a webhook delivery.',
  values: {
    PENDING: { value: 'pending', description: 'Queued, in progress, or scheduled for another attempt.' },
    DELIVERED: { value: 'delivered', description: 'The receiver responded with a 2xx status.' },
    FAILED: {
      value: 'failed',
      description: `No attempt succeeded: ${MAX_ATTEMPTS} attempts were made, or the receiver responded with 410 (Gone). A ping has a single attempt.`,
    },
    DROPPED: {
      value: 'dropped',
      description: 'Not sent, because the endpoint was deleted or the records of the event no longer exist.',
    },
  } as const,
});

const WebhookAttempt = builder.objectRef<Attempt>('WebhookAttempt').implement({
  description: 'A request to the receiver.',
  fields: (t) => ({
    attemptedAt: t.expose('attemptedAt', { type: 'DateTime', description: 'Start time.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Duration in milliseconds.' }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'HTTP status of the response; null if there was none.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Reason why the attempt failed; null if it succeeded.',
    }),
    response: t.exposeString('response', {
      nullable: true,
      description: 'The first 1,024 bytes of the response body.',
    }),
  }),
});

builder.objectFields(WebhookDelivery, (t) => ({
  deliveryId: t.string({ description: 'Public id.', resolve: deliveryIdOf }),
  endpointId: t.exposeString('endpointId', { description: 'Public id of the endpoint.' }),
  eventId: t.exposeString('eventId', { description: 'Id of the event.' }),
  webhookId: t.string({
    description:
      'The `webhook-id` header. It is the same for every attempt and replay, so that receivers can detect duplicates.',
    resolve: ({ eventId }) => webhookIdOf(eventId),
  }),
  event: t.exposeString('event', { description: 'Name of the event, such as `v3.post.didCreate`.' }),
  state: t.expose('state', { type: WebhookDeliveryState, description: 'State of the delivery.' }),
  body: t.string({
    nullable: true,
    description: 'Request body, the same for every attempt; null before the first attempt.',
    resolve: (delivery, _, context) => webhookBodyOf(context, delivery),
  }),
  attemptCount: t.exposeInt('attemptCount', { description: 'Number of attempts since it was queued or replayed.' }),
  attempts: t.expose('attempts', { type: [WebhookAttempt], description: 'The latest 30 attempts, oldest first.' }),
  nextAttemptAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Time of the next attempt; null if there is none, and during an attempt.',
    resolve: ({ state, lease, dueAt }) => (state === 'pending' && lease === null ? dueAt : null),
  }),
  deliveredAt: t.expose('deliveredAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the successful attempt; null if there was none.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was queued.' }),
}));
