import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import { canManageWebhooks } from '../../access/webhook.ts';
import type { Config } from '../../config.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { extendBodies } from '../../webhooks/body-store.ts';
import { PING } from '../../webhooks/names.ts';
import { announcementOf, type EndpointKey, newDelivery, retentionMsOf } from '../../webhooks/queue.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { id, validate } from '../input.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { deliveryKeyOf } from './delivery.ts';
import { lockOfEndpoint } from './endpoint.ts';
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
  const { endpointId } = validate(endpointIdInput, input);
  const { networkId } = viewerOf(context);
  const schedule = newSchedule(context);
  const body = JSON.stringify({ event: PING, data: { endpointId, networkId, sentTime: schedule.now } });
  const eventId = new ObjectId().toHexString();
  const ping = newDelivery({ networkId, endpointId, eventId, event: PING, source: null, cursor: null, body }, schedule);
  await context.transaction(
    async (session) => {
      await announceToEnabled(context, session, { endpointId, dueAt: schedule.now });
      await context.store.collections.webhookDeliveries.insertOne(ping, { session });
      await recordAudit(context, session, [{ subjectType: 'webhookEndpoint', subjectId: endpointId }]);
    },
    lockOfEndpoint(context, endpointId),
  );
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
  return context.transaction(
    (session) => replay(context, session, { networkId: viewerOf(context).networkId, ...key }),
    lockOfEndpoint(context, key.endpointId),
  );
}

async function replay(
  context: Context,
  session: ClientSession,
  key: EndpointKey & { eventId: string },
): Promise<WebhookDeliveryRecord> {
  const { collections } = context.store;
  const { webhookDeliveries } = collections;
  const fields = resetFields(context);
  await announceToEnabled(context, session, { ...key, dueAt: fields.dueAt }, 'Webhook delivery');
  const changed = await webhookDeliveries.findOneAndUpdate(
    { ...key, lease: null },
    { $set: fields },
    { session, returnDocument: 'after' },
  );
  if (!changed && (await webhookDeliveries.findOne(key, { session }))) {
    throw new OperationError('CONFLICT', { message: 'An attempt of this delivery is in progress.' });
  }
  if (!changed) throw notFound('Webhook delivery');
  const { networkId, bodyId, expiresAt } = changed;
  await extendBodies(collections, { networkId, bodyIds: bodyId === undefined ? [] : [bodyId], expiresAt }, session);
  await recordAudit(context, session, [
    { subjectType: 'webhookEndpoint', subjectId: key.endpointId, details: { eventId: key.eventId } },
  ]);
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

/**
 * Announces deliveries that the transaction stores, and reads their endpoint with the same command.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED if the viewer lost the right meanwhile; BAD_REQUEST for a disabled
 *   endpoint
 */
export async function announceToEnabled(
  context: Context,
  session: ClientSession,
  { endpointId, dueAt }: { endpointId: string; dueAt: Date },
  what = 'Webhook endpoint',
): Promise<WebhookEndpointRecord> {
  const viewer = viewerOf(context);
  if (!canManageWebhooks(viewer)) throw notFound(what);
  await requireNetworkRight(context, session, canManageWebhooks);
  const { webhookEndpoints } = context.store.collections;
  const key = { networkId: viewer.networkId, endpointId };
  const endpoint = await webhookEndpoints.findOneAndUpdate({ ...key, enabled: true }, announcementOf(dueAt), {
    session,
    returnDocument: 'after',
  });
  if (endpoint) return endpoint;
  if (!(await webhookEndpoints.findOne(key, { session }))) throw notFound(what);
  throw new OperationError('BAD_REQUEST', { message: 'The endpoint is disabled: enable it first.' });
}
