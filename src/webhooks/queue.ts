import { randomUUID } from 'node:crypto';
import { type AnyBulkWriteOperation, type ClientSession, MongoBulkWriteError, ObjectId } from 'mongodb';
import type { Config } from '../config.ts';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';

/** The endpoint of a delivery, or an endpoint itself. */
export type EndpointKey = Pick<WebhookEndpointRecord, 'networkId' | 'endpointId'>;

export type NewDelivery = Pick<
  WebhookDeliveryRecord,
  'networkId' | 'endpointId' | 'eventId' | 'event' | 'source' | 'cursor' | 'body'
>;

interface When {
  now: Date;
  /** How long a delivery is kept from now on. */
  keptMs: number;
}

const DUPLICATE_KEY = 11_000;
const DAY_MS = 86_400_000;
/** Longer than the schedule takes, with a weekend to look at what became of it. */
const KEPT_DAYS = 7;

/** Never shorter than the log keeps the event, or it could be put in a second time. */
export function keptMsOf({ EVENT_DAYS }: Pick<Config, 'EVENT_DAYS'>): number {
  return (Math.max(EVENT_DAYS, KEPT_DAYS) + 1) * DAY_MS;
}

export function newDelivery(delivery: NewDelivery, { now, keptMs }: When): WebhookDeliveryRecord {
  return {
    _id: new ObjectId(),
    ...delivery,
    state: 'pending',
    dueAt: now,
    lease: null,
    attemptCount: 0,
    attempts: [],
    deliveredAt: null,
    expiresAt: new Date(now.getTime() + keptMs),
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Puts deliveries in, each once however often it is tried, and then tells their endpoints: in this order, since whoever
 * finds an endpoint's queue empty must hear of what comes next.
 */
export async function enqueue(
  { webhookDeliveries, webhookEndpoints }: Collections,
  deliveries: readonly NewDelivery[],
  when: When,
): Promise<void> {
  if (deliveries.length === 0) return;
  const records = deliveries.map((delivery) => newDelivery(delivery, when));
  await webhookDeliveries.insertMany(records, { ordered: false }).catch(ignoreDuplicates);
  const keys = new Map(deliveries.map((delivery) => [`${delivery.networkId} ${delivery.endpointId}`, delivery]));
  await webhookEndpoints.bulkWrite(
    [...keys.values()].map((key) => announcement(key, when.now)),
    { ordered: false },
  );
}

function ignoreDuplicates(error: unknown): void {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const errors = [error.writeErrors].flat();
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}

function announcement(
  { networkId, endpointId }: EndpointKey,
  dueAt: Date,
): AnyBulkWriteOperation<WebhookEndpointRecord> {
  return { updateOne: { filter: { networkId, endpointId }, update: { $min: { dueAt }, $inc: { queued: 1 } } } };
}

/** Says that a delivery of the endpoint is due then; to be called after it has become so. */
export async function announce(
  { webhookEndpoints }: Collections,
  { networkId, endpointId }: EndpointKey,
  dueAt: Date,
  session?: ClientSession,
): Promise<void> {
  await webhookEndpoints.updateOne(
    { networkId, endpointId },
    { $min: { dueAt }, $inc: { queued: 1 } },
    session ? { session } : {},
  );
}

/** Endpoints for which something is to be done, those that wait longest first. */
export function dueEndpoints({ webhookEndpoints }: Collections, now: Date, limit: number): Promise<EndpointKey[]> {
  return webhookEndpoints
    .find({ dueAt: { $lte: now } }, { projection: { _id: 0, networkId: 1, endpointId: 1 } })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray();
}

/**
 * Takes up to `limit` due deliveries of an endpoint, those that wait longest first. Until the lease ends nobody else
 * tries them; whoever dies meanwhile hands them over by that.
 */
export async function claim(
  { webhookDeliveries }: Collections,
  { networkId, endpointId }: EndpointKey,
  { limit, now, leaseMs }: { limit: number; now: Date; leaseMs: number },
): Promise<WebhookDeliveryRecord[]> {
  const due = { networkId, endpointId, state: 'pending', dueAt: { $lte: now } } as const;
  const found = await webhookDeliveries
    .find(due, { projection: { _id: 0, eventId: 1 } })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray();
  if (found.length === 0) return [];
  const lease = randomUUID();
  const wanted = { networkId, endpointId, eventId: { $in: found.map(({ eventId }) => eventId) } };
  const { modifiedCount } = await webhookDeliveries.updateMany(
    { ...wanted, state: 'pending', dueAt: { $lte: now } },
    { $set: { lease, dueAt: new Date(now.getTime() + leaseMs), updatedAt: now } },
  );
  return modifiedCount === 0 ? [] : webhookDeliveries.find({ ...wanted, lease }).toArray();
}

/** Notes when the endpoint's next delivery is due, unless something was put in since the endpoint was read. */
export async function settle(
  { webhookDeliveries, webhookEndpoints }: Collections,
  { networkId, endpointId, queued }: EndpointKey & Pick<WebhookEndpointRecord, 'queued'>,
): Promise<void> {
  const [next] = await webhookDeliveries
    .find({ networkId, endpointId, state: 'pending' }, { projection: { _id: 0, dueAt: 1 } })
    .sort({ dueAt: 1 })
    .limit(1)
    .toArray();
  await webhookEndpoints.updateOne(
    { networkId, endpointId, queued },
    next ? { $set: { dueAt: next.dueAt } } : { $unset: { dueAt: '' } },
  );
}
