import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { PING } from '../../webhooks/names.ts';
import { announce, keptMsOf, newDelivery } from '../../webhooks/queue.ts';
import { id, validate } from '../input.ts';
import { deliveryKeyOf } from './delivery.ts';
import { endpointIn } from './endpoint.ts';
import { endpointIdInput } from './endpoint-input.ts';

export const replayWebhookDeliveryInput = z.object({ deliveryId: id().describe('Public id of the delivery.') });

/**
 * Sends a message that means nothing, once, so that a receiver can be tried out.
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST for a disabled endpoint
 */
export async function sendTestPing(
  context: Context,
  asked: z.input<typeof endpointIdInput>,
): Promise<WebhookDeliveryRecord> {
  const endpoint = await sendingEndpoint(context, validate(endpointIdInput, asked).endpointId);
  const { networkId, endpointId } = endpoint;
  const now = context.now();
  const body = JSON.stringify({ event: PING, data: { endpointId, networkId, sentTime: now } });
  const eventId = new ObjectId().toHexString();
  const ping = newDelivery(
    { networkId, endpointId, eventId, event: PING, source: null, cursor: null, body },
    whenOf(context),
  );
  await context.transaction(async (session) => {
    await context.store.collections.webhookDeliveries.insertOne(ping, { session });
    await announce(context.store.collections, endpoint, now, session);
  });
  return ping;
}

/**
 * Sends a delivery again, at once and by the whole schedule, whatever became of it before: the same `webhook-id`, the
 * same bytes.
 *
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST for a disabled endpoint; CONFLICT while it is being tried
 */
export async function replayWebhookDelivery(
  context: Context,
  asked: z.input<typeof replayWebhookDeliveryInput>,
): Promise<WebhookDeliveryRecord> {
  const key = deliveryKeyOf(validate(replayWebhookDeliveryInput, asked).deliveryId);
  if (!key) throw notFound('Webhook delivery');
  const endpoint = await sendingEndpoint(context, key.endpointId, 'Webhook delivery');
  return context.transaction((session) => replay(context, session, endpoint, key.eventId));
}

async function replay(
  context: Context,
  session: ClientSession,
  { networkId, endpointId }: WebhookEndpointRecord,
  eventId: string,
): Promise<WebhookDeliveryRecord> {
  const { webhookDeliveries } = context.store.collections;
  const key = { networkId, endpointId, eventId };
  const changed = await webhookDeliveries.findOneAndUpdate(
    { ...key, lease: null },
    { $set: anew(context) },
    { session, returnDocument: 'after' },
  );
  if (!changed && (await webhookDeliveries.findOne(key, { session }))) {
    throw new OperationError('CONFLICT', { message: 'This delivery is being tried right now.' });
  }
  if (!changed) throw notFound('Webhook delivery');
  await announce(context.store.collections, key, changed.dueAt, session);
  return changed;
}

/** What a delivery becomes that begins anew. */
export function anew(context: Context) {
  const { now, keptMs } = whenOf(context);
  return {
    state: 'pending' as const,
    dueAt: now,
    lease: null,
    attemptCount: 0,
    deliveredAt: null,
    expiresAt: new Date(now.getTime() + keptMs),
    updatedAt: now,
  };
}

/** When what is put in now is due, and how long it is kept. */
export function whenOf(context: { now(): Date; config: Config }): { now: Date; keptMs: number } {
  return { now: context.now(), keptMs: keptMsOf(context.config) };
}

/** @throws {OperationError} NOT_FOUND, BAD_REQUEST for one that is disabled: nothing would be sent */
export async function sendingEndpoint(
  context: Context,
  endpointId: string,
  what = 'Webhook endpoint',
): Promise<WebhookEndpointRecord> {
  const endpoint = await endpointIn(context, endpointId).catch((error) => {
    throw error instanceof OperationError && error.errorName === 'NOT_FOUND' ? notFound(what) : error;
  });
  if (!endpoint.enabled) {
    throw new OperationError('BAD_REQUEST', { message: 'The endpoint is disabled: enable it first.' });
  }
  return endpoint;
}
