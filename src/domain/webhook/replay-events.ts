import { type AnyBulkWriteOperation, type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findEvents } from '../../events/find-events.ts';
import type { EventRecord } from '../../store/records/event.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { extendBodies } from '../../webhooks/body-store.ts';
import { deliveryOf, isSubscribedTo } from '../../webhooks/plan-deliveries.ts';
import { newDelivery } from '../../webhooks/queue.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { validate } from '../input.ts';
import { lockOfEndpoint } from './endpoint.ts';
import { endpointIdInput } from './endpoint-input.ts';
import { announceToEnabled, newSchedule, resetFields } from './send-again.ts';

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
  const range = { after: after ?? lowestIdOf(from), before: lowestIdOf(new Date(until.getTime() + 1_000)) };
  return context.transaction(
    async (session) => {
      const fields = resetFields(context);
      const endpoint = await announceToEnabled(context, session, { endpointId, dueAt: fields.dueAt });
      const { networkId } = endpoint;
      const events = await findEvents(context.store, session, { networkId, ...range, limit: BATCH_SIZE });
      const subscribed = events.filter(
        (event) => isSubscribedTo(endpoint, event) && event.createdAt >= from && event.createdAt <= until,
      );
      const existing = await existingDeliveries(context, session, endpoint, subscribed);
      // Enqueueing an event with an attempt in progress would let two workers send the same delivery.
      const inProgress = new Set(existing.filter(isInProgress(context.now())).map(({ eventId }) => eventId));
      const replayed = subscribed.filter(({ eventId }) => !inProgress.has(eventId));
      const bodyIds = existing.flatMap(({ bodyId }) => bodyId ?? []);
      await extendBodies(context.store.collections, { networkId, bodyIds, expiresAt: fields.expiresAt }, session);
      await enqueue(context, session, { endpoint, events: replayed, fields });
      await recordAudit(context, session, [
        { subjectType: 'webhookEndpoint', subjectId: endpointId, details: { from, until, count: replayed.length } },
      ]);
      return { count: replayed.length, next: events.length < BATCH_SIZE ? null : events.at(-1)!.eventId };
    },
    lockOfEndpoint(context, endpointId),
  );
}

type ExistingDelivery = Pick<WebhookDeliveryRecord, 'eventId' | 'lease' | 'dueAt' | 'bodyId'>;

/** The deliveries of these events that the endpoint has already. */
async function existingDeliveries(
  context: Context,
  session: ClientSession,
  { networkId, endpointId }: WebhookEndpointRecord,
  events: readonly EventRecord[],
): Promise<ExistingDelivery[]> {
  if (events.length === 0) return [];
  const filter = { networkId, endpointId, eventId: { $in: events.map(({ eventId }) => eventId) } };
  const projection = { _id: 0, eventId: 1, lease: 1, dueAt: 1, bodyId: 1 };
  return context.store.collections.webhookDeliveries.find(filter, { session, projection }).toArray();
}

const isInProgress =
  (now: Date) =>
  ({ lease, dueAt }: ExistingDelivery): boolean =>
    lease !== null && dueAt > now;

/** The lowest event id of a second: ids begin with the second of their creation. */
function lowestIdOf(time: Date): string {
  return ObjectId.createFromTime(Math.max(0, Math.floor(time.getTime() / 1_000))).toHexString();
}

interface Replay {
  endpoint: WebhookEndpointRecord;
  events: readonly EventRecord[];
  fields: ReturnType<typeof resetFields>;
}

async function enqueue(context: Context, session: ClientSession, { endpoint, events, fields }: Replay): Promise<void> {
  if (events.length === 0) return;
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
  await context.store.collections.webhookDeliveries.bulkWrite(writes, { session, ordered: false });
}
