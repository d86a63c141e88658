import { canManageWebhooks } from '../../src/access/webhook.ts';
import { viewerOf } from '../../src/context.ts';
import { deliveryIdOf, getWebhookDelivery } from '../../src/domain/webhook/delivery.ts';
import type { WebhookAttempt as Attempt, WebhookDeliveryRecord } from '../../src/store/records/webhook.ts';
import { webhookIdOf } from '../../src/webhooks/names.ts';
import { MAX_ATTEMPTS } from '../../src/webhooks/schedule.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';

export const WebhookDelivery = nodeType<WebhookDeliveryRecord>('WebhookDelivery', {
  description: 'One event on its way to one endpoint. Kept for a week at least.',
  id: deliveryIdOf,
  load: (context, deliveryId) => getWebhookDelivery(context, { deliveryId }),
  // Also of one that was removed since: the right alone decides.
  sees: async (context) => canManageWebhooks(viewerOf(context)),
});

export const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'State of a webhook delivery.',
  values: {
    PENDING: { value: 'pending', description: 'Queued, in progress, or scheduled for another attempt.' },
    DELIVERED: { value: 'delivered', description: 'The receiver answered with a 2xx status.' },
    FAILED: {
      value: 'failed',
      description: `No attempt succeeded: ${MAX_ATTEMPTS} attempts were made, or the receiver answered 410. A ping has a single attempt.`,
    },
    DROPPED: {
      value: 'dropped',
      description: 'Not sent, because the endpoint was deleted or the records of the event no longer exist.',
    },
  } as const,
});

const WebhookAttempt = builder.objectRef<Attempt>('WebhookAttempt').implement({
  description: 'One request to a receiver.',
  fields: (t) => ({
    attemptedAt: t.expose('attemptedAt', { type: 'DateTime', description: 'When it began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Milliseconds until it was known how it ended.' }),
    status: t.exposeInt('status', { nullable: true, description: 'HTTP status; null when no answer came.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it does not count as delivered.' }),
    response: t.exposeString('response', { nullable: true, description: 'The first 1,024 bytes of the answer.' }),
  }),
});

builder.objectFields(WebhookDelivery, (t) => ({
  deliveryId: t.string({ description: 'Public id.', resolve: deliveryIdOf }),
  endpointId: t.exposeString('endpointId', { description: 'The endpoint it goes to.' }),
  eventId: t.exposeString('eventId', { description: 'The event it tells of.' }),
  webhookId: t.string({
    description: 'The `webhook-id` header: the same for each attempt and replay, so that receivers can tell.',
    resolve: ({ eventId }) => webhookIdOf(eventId),
  }),
  event: t.exposeString('event', { description: 'What the event is called towards receivers.' }),
  state: t.expose('state', { type: WebhookDeliveryState, description: 'What became of it.' }),
  body: t.exposeString('body', {
    nullable: true,
    description: 'What is sent, each time the same; null before the first attempt.',
  }),
  attemptCount: t.exposeInt('attemptCount', { description: 'How often it was tried since it was put in or replayed.' }),
  attempts: t.expose('attempts', { type: [WebhookAttempt], description: 'The latest 30, the newest last.' }),
  nextAttemptAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it is tried again; null when it is not, and while it is being tried.',
    resolve: ({ state, lease, dueAt }) => (state === 'pending' && lease === null ? dueAt : null),
  }),
  deliveredAt: t.expose('deliveredAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the receiver had it.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was put in.' }),
}));
