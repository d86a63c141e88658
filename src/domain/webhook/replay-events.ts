import { type AnyBulkWriteOperation, type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findEvents } from '../../events/find-events.ts';
import type { EventRecord } from '../../store/records/event.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { deliveryOf, isSubscribedTo } from '../../webhooks/plan-deliveries.ts';
import { announce, newDelivery } from '../../webhooks/queue.ts';
import { validate } from '../input.ts';
import { endpointIdInput } from './endpoint-input.ts';
import { anew, sendingEndpoint, whenOf } from './send-again.ts';

export const replayWebhookEventsInput = endpointIdInput
  .extend({
    from: z.date().describe('Start of the period.'),
    until: z.date().describe('End of the period.'),
    after: z
      .string()
      .regex(/^[0-9a-f]{24}$/, 'not the `next` of an answer')
      .nullish()
      .describe('`next` of the previous call, to continue.'),
  })
  .refine(({ from, until }) => from < until, { message: 'ends before it begins', path: ['until'] });

/** Events that one call looks at. */
const LOOKED_AT = 1_000;

export interface ReplayedEvents {
  /** Deliveries that will be sent. */
  count: number;
  /** For `after`, to go on; null: all of the range was looked at. */
  next: string | null;
}

/**
 * Sends every event of a stretch of time that the endpoint is told of, also those from before it was made or while it
 * was disabled; those that were delivered go again, under the same `webhook-id`. A call looks at 1,000 events. What the
 * log no longer holds (`EVENT_DAYS`) is not sent, and what is being tried right now is left to that.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND; BAD_REQUEST for a disabled endpoint
 */
export async function replayWebhookEvents(
  context: Context,
  asked: z.input<typeof replayWebhookEventsInput>,
): Promise<ReplayedEvents> {
  const { endpointId, from, until, after } = validate(replayWebhookEventsInput, asked);
  const endpoint = await sendingEndpoint(context, endpointId);
  const { networkId } = endpoint;
  const range = { after: after ?? lowest(from), before: lowest(new Date(until.getTime() + 1_000)) };
  return context.transaction(async (session) => {
    const events = await findEvents(context.store, session, { networkId, ...range, limit: LOOKED_AT });
    const told = events.filter(
      (event) => isSubscribedTo(endpoint, event) && event.createdAt >= from && event.createdAt <= until,
    );
    const underWay = await thoseUnderWay(context, session, endpoint, told);
    const put = told.filter(({ eventId }) => !underWay.has(eventId));
    await putIn(context, session, endpoint, put);
    return { count: put.length, next: events.length < LOOKED_AT ? null : events.at(-1)!.eventId };
  });
}

/** Which of these are being tried right now: they are sent without that, and would be sent by two at a time. */
async function thoseUnderWay(
  context: Context,
  session: ClientSession,
  { networkId, endpointId }: WebhookEndpointRecord,
  events: readonly EventRecord[],
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  const eventIds = events.map(({ eventId }) => eventId);
  const leased = { lease: { $ne: null }, dueAt: { $gt: context.now() } };
  const found = await context.store.collections.webhookDeliveries
    .find({ networkId, endpointId, eventId: { $in: eventIds }, ...leased }, { session, projection: { eventId: 1 } })
    .toArray();
  return new Set(found.map(({ eventId }) => eventId));
}

/** Ids begin with the second in which they were made. */
function lowest(time: Date): string {
  return ObjectId.createFromTime(Math.max(0, Math.floor(time.getTime() / 1_000))).toHexString();
}

async function putIn(
  context: Context,
  session: ClientSession,
  endpoint: WebhookEndpointRecord,
  events: EventRecord[],
): Promise<void> {
  if (events.length === 0) return;
  const { collections } = context.store;
  const fields = anew(context);
  const writes = events.map((event): AnyBulkWriteOperation<WebhookDeliveryRecord> => {
    const delivery = newDelivery(
      deliveryOf(endpoint, event, context.events.findRecent(event.eventId)?.cursor ?? null),
      whenOf(context),
    );
    const { networkId, endpointId, eventId } = delivery;
    const first = Object.entries(delivery).filter(([name]) => !Object.hasOwn(fields, name));
    return {
      updateOne: {
        filter: { networkId, endpointId, eventId },
        update: { $set: fields, $setOnInsert: Object.fromEntries(first) },
        upsert: true,
      },
    };
  });
  await collections.webhookDeliveries.bulkWrite(writes, { session, ordered: false });
  await announce(collections, endpoint, fields.dueAt, session);
}
