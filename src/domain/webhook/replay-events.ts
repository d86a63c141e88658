import { type AnyBulkWriteOperation, type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findEvents } from '../../events/find-events.ts';
import type { EventRecord } from '../../store/records/event.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { deliveryOf, isSubscribedTo } from '../../webhooks/plan-deliveries.ts';
import { announceDue, newDelivery } from '../../webhooks/queue.ts';
import { validate } from '../input.ts';
import { endpointIdInput } from './endpoint-input.ts';
import { enabledEndpoint, newSchedule, resetFields } from './send-again.ts';

export const replayWebhookEventsInput = endpointIdInput
  .extend({
    from: z.date().describe('Start of the period.'),
    until: z.date().describe('End of the period.'),
    after: z
      .string()
      .regex(/^[0-9a-f]{24}$/, 'must be the `next` of a response')
      .nullish()
      .describe('`next` of the previous call, to continue.'),
  })
  .refine(({ from, until }) => from < until, { message: 'must be after from', path: ['until'] });

/** Events read per call. */
const BATCH_SIZE = 1_000;

export interface ReplayedEvents {
  /** Deliveries that will be sent. */
  count: number;
  /** Pass it as `after` to continue; null at the end of the period. */
  next: string | null;
}

/**
 * Enqueues every event of a period to which the endpoint subscribes, including events from before it was created or
 * while it was disabled. Delivered events are sent again with the same `webhook-id`. A call reads 1,000 events. Events
 * that the log no longer retains (`EVENT_DAYS`) are not sent, and attempts in progress are not repeated.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND; BAD_REQUEST for a disabled endpoint
 */
export async function replayWebhookEvents(
  context: Context,
  input: z.input<typeof replayWebhookEventsInput>,
): Promise<ReplayedEvents> {
  const { endpointId, from, until, after } = validate(replayWebhookEventsInput, input);
  const endpoint = await enabledEndpoint(context, endpointId);
  const { networkId } = endpoint;
  const range = { after: after ?? lowestIdOf(from), before: lowestIdOf(new Date(until.getTime() + 1_000)) };
  return context.transaction(async (session) => {
    const events = await findEvents(context.store, session, { networkId, ...range, limit: BATCH_SIZE });
    const subscribed = events.filter(
      (event) => isSubscribedTo(endpoint, event) && event.createdAt >= from && event.createdAt <= until,
    );
    const inProgress = await eventIdsInProgress(context, session, endpoint, subscribed);
    const replayed = subscribed.filter(({ eventId }) => !inProgress.has(eventId));
    await enqueue(context, session, endpoint, replayed);
    return { count: replayed.length, next: events.length < BATCH_SIZE ? null : events.at(-1)!.eventId };
  });
}

/** Ids of events with an attempt in progress. Enqueueing them would let two workers send the same delivery. */
async function eventIdsInProgress(
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

/** The lowest event id of a second: ids begin with the second of their creation. */
function lowestIdOf(time: Date): string {
  return ObjectId.createFromTime(Math.max(0, Math.floor(time.getTime() / 1_000))).toHexString();
}

async function enqueue(
  context: Context,
  session: ClientSession,
  endpoint: WebhookEndpointRecord,
  events: EventRecord[],
): Promise<void> {
  if (events.length === 0) return;
  const { collections } = context.store;
  const fields = resetFields(context);
  const writes = events.map((event): AnyBulkWriteOperation<WebhookDeliveryRecord> => {
    const delivery = newDelivery(
      deliveryOf(endpoint, event, context.events.findRecent(event.eventId)?.cursor ?? null),
      newSchedule(context),
    );
    const { networkId, endpointId, eventId } = delivery;
    const others = Object.entries(delivery).filter(([name]) => !Object.hasOwn(fields, name));
    return {
      updateOne: {
        filter: { networkId, endpointId, eventId },
        update: { $set: fields, $setOnInsert: Object.fromEntries(others) },
        upsert: true,
      },
    };
  });
  await collections.webhookDeliveries.bulkWrite(writes, { session, ordered: false });
  await announceDue(collections, endpoint, fields.dueAt, session);
}
