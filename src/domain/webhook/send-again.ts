import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { PING } from '../../webhooks/names.ts';
import { announceDue, newDelivery, retentionMsOf } from '../../webhooks/queue.ts';
import { id, validate } from '../input.ts';
import { deliveryKeyOf } from './delivery.ts';
import { endpointIn } from './endpoint.ts';
import { endpointIdInput } from './endpoint-input.ts';

export const replayWebhookDeliveryInput = z.object({ deliveryId: id().describe('Public id of the delivery.') });

/**
 * Enqueues a ping, which reports no event, so that a receiver can be tested.
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST for a disabled endpoint
 */
export async function sendTestPing(
  context: Context,
  input: z.input<typeof endpointIdInput>,
): Promise<WebhookDeliveryRecord> {
  const endpoint = await enabledEndpoint(context, validate(endpointIdInput, input).endpointId);
  const { networkId, endpointId } = endpoint;
  const now = context.now();
  const body = JSON.stringify({ event: PING, data: { endpointId, networkId, sentTime: now } });
  const eventId = new ObjectId().toHexString();
  const ping = newDelivery(
    { networkId, endpointId, eventId, event: PING, source: null, cursor: null, body },
    newSchedule(context),
  );
  await context.transaction(async (session) => {
    await context.store.collections.webhookDeliveries.insertOne(ping, { session });
    await announceDue(context.store.collections, endpoint, now, session);
  });
  return ping;
}

/**
 * Sends a delivery again, delivered or not: immediately and with a full retry schedule, with the same `webhook-id` and
 * the same body bytes.
 *
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST for a disabled endpoint; CONFLICT during an attempt
 */
export async function replayWebhookDelivery(
  context: Context,
  input: z.input<typeof replayWebhookDeliveryInput>,
): Promise<WebhookDeliveryRecord> {
  const key = deliveryKeyOf(validate(replayWebhookDeliveryInput, input).deliveryId);
  if (!key) throw notFound('Webhook delivery');
  const endpoint = await enabledEndpoint(context, key.endpointId, 'Webhook delivery');
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
    { $set: resetFields(context) },
    { session, returnDocument: 'after' },
  );
  if (!changed && (await webhookDeliveries.findOne(key, { session }))) {
    throw new OperationError('CONFLICT', { message: 'An attempt of this delivery is in progress.' });
  }
  if (!changed) throw notFound('Webhook delivery');
  await announceDue(context.store.collections, key, changed.dueAt, session);
  return changed;
}

/** Fields that reset a delivery to its first attempt. */
export function resetFields(context: Context) {
  const { now, retentionMs } = newSchedule(context);
  return {
    state: 'pending' as const,
    dueAt: now,
    lease: null,
    attemptCount: 0,
    deliveredAt: null,
    expiresAt: new Date(now.getTime() + retentionMs),
    updatedAt: now,
  };
}

/** The due time and the retention of a delivery that is enqueued now. */
export function newSchedule(context: { now(): Date; config: Config }): { now: Date; retentionMs: number } {
  return { now: context.now(), retentionMs: retentionMsOf(context.config) };
}

/** @throws {OperationError} NOT_FOUND, BAD_REQUEST for a disabled endpoint */
export async function enabledEndpoint(
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
