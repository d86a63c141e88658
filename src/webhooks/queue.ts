import { randomUUID } from 'node:crypto';
import { type AnyBulkWriteOperation, MongoBulkWriteError, ObjectId } from 'mongodb';
import type { Config } from '../config.ts';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';

/** Identifies the endpoint of a delivery, or an endpoint itself. */
export type EndpointKey = Pick<WebhookEndpointRecord, 'networkId' | 'endpointId'>;

export type NewDelivery = Pick<
  WebhookDeliveryRecord,
  'networkId' | 'endpointId' | 'eventId' | 'event' | 'source' | 'cursor' | 'body'
>;

export interface When {
  now: Date;
  /** How long the delivery is stored from now on, in milliseconds. */
  retentionMs: number;
}

const DUPLICATE_KEY = 11_000;
const DAY_MS = 86_400_000;
/** Longer than the schedule of attempts, plus a weekend to inspect the result. */
const RETENTION_DAYS = 7;

/** How long a delivery is stored: longer than the log keeps the event, which could otherwise be enqueued a second time. */
export function retentionMsOf({ EVENT_DAYS }: Pick<Config, 'EVENT_DAYS'>): number {
  return (Math.max(EVENT_DAYS, RETENTION_DAYS) + 1) * DAY_MS;
}

export function newDelivery(delivery: NewDelivery, { now, retentionMs }: When): WebhookDeliveryRecord {
  return {
    _id: new ObjectId(),
    ...delivery,
    state: 'pending',
    dueAt: now,
    lease: null,
    attemptCount: 0,
    attempts: [],
    deliveredAt: null,
    expiresAt: new Date(now.getTime() + retentionMs),
    createdAt: now,
    updatedAt: now,
  };
}

/** Stores deliveries that do not exist yet. @returns for each one whether it was new */
export async function insertNew(
  { webhookDeliveries }: Collections,
  records: WebhookDeliveryRecord[],
): Promise<boolean[]> {
  const isNew = records.map(() => true);
  await webhookDeliveries.insertMany(records, { ordered: false }).catch((error: unknown) => {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    for (const { index } of errors) isNew[index] = false;
  });
  return isNew;
}

/**
 * Stores on the endpoints when their next deliveries are due. Call it after the deliveries are stored: a worker that
 * finds a queue empty relies on a later announcement.
 */
export async function announceAllDue(
  { webhookEndpoints }: Collections,
  keys: readonly EndpointKey[],
  dueAts: readonly Date[],
): Promise<void> {
  const firsts = new Map<string, EndpointKey & { dueAt: Date }>();
  for (const [index, { networkId, endpointId }] of keys.entries()) {
    const name = `${networkId} ${endpointId}`;
    const dueAt = dueAts[index]!;
    const known = firsts.get(name);
    if (!known || dueAt < known.dueAt) firsts.set(name, { networkId, endpointId, dueAt });
  }
  const alike = new Map<string, Array<EndpointKey & { dueAt: Date }>>();
  for (const first of firsts.values()) {
    const name = `${first.networkId} ${first.dueAt.getTime()}`;
    alike.set(name, [...(alike.get(name) ?? []), first]);
  }
  const writes = [...alike.values()].map((those): AnyBulkWriteOperation<WebhookEndpointRecord> => {
    const [{ networkId, dueAt }] = those as [(typeof those)[0]];
    const endpointId = { $in: those.map((one) => one.endpointId) };
    return { updateMany: { filter: { networkId, endpointId }, update: announcementOf(dueAt) } };
  });
  if (writes.length > 0) await webhookEndpoints.bulkWrite(writes, { ordered: false });
}

/** Stores on the endpoint that a delivery is due at this time. Call it after the delivery is stored. */
export async function announceDue(
  { webhookEndpoints }: Collections,
  { networkId, endpointId }: EndpointKey,
  dueAt: Date,
): Promise<void> {
  await webhookEndpoints.updateOne({ networkId, endpointId }, announcementOf(dueAt));
}

/** The update of an endpoint that announces a delivery. */
export function announcementOf(dueAt: Date): { $min: { dueAt: Date }; $inc: { queued: number } } {
  return { $min: { dueAt }, $inc: { queued: 1 } };
}

/** Endpoints with due deliveries, earliest due time first. */
export function dueEndpoints(
  { webhookEndpoints }: Collections,
  now: Date,
  limit: number,
): Promise<WebhookEndpointRecord[]> {
  return webhookEndpoints
    .find({ dueAt: { $lte: now } })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray();
}

export interface Claim {
  deliveries: WebhookDeliveryRecord[];
  /** Earliest time at which another delivery may be due; null when none is pending. */
  nextDueAt: Date | null;
}

/**
 * Claims up to `limit` due deliveries of an endpoint, earliest due time first. Until the lease ends, no other process
 * attempts them. When this process dies, they are due again at that time.
 */
export async function claim(
  { webhookDeliveries }: Collections,
  { networkId, endpointId }: EndpointKey,
  { limit, now, leaseMs }: { limit: number; now: Date; leaseMs: number },
): Promise<Claim> {
  const pending = { networkId, endpointId, state: 'pending' } as const;
  // One more than the limit, whose due time is the next one.
  const found = await webhookDeliveries
    .find(pending, { projection: { _id: 0, eventId: 1, dueAt: 1 } })
    .sort({ dueAt: 1 })
    .limit(limit + 1)
    .toArray();
  const due = found.slice(0, limit).filter(({ dueAt }) => dueAt <= now);
  const next = found[due.length]?.dueAt ?? null;
  if (due.length === 0) return { deliveries: [], nextDueAt: next };
  const lease = randomUUID();
  const leaseEndsAt = new Date(now.getTime() + leaseMs);
  const those = { networkId, endpointId, eventId: { $in: due.map(({ eventId }) => eventId) } };
  await webhookDeliveries.updateMany(
    { ...those, state: 'pending', dueAt: { $lte: now } },
    { $set: { lease, dueAt: leaseEndsAt, updatedAt: now } },
  );
  // Read after the update: the previous holder may have stored the body meanwhile.
  const deliveries = await webhookDeliveries.find({ ...those, lease }).toArray();
  // Deliveries that another process claimed meanwhile are checked again, since its lease may end earlier.
  const soonest = deliveries.length === due.length ? leaseEndsAt : now;
  return { deliveries, nextDueAt: next !== null && next < soonest ? next : soonest };
}

/** Stores when the endpoint's next delivery is due, unless deliveries were stored since the endpoint was read. */
export async function storeNextDue(
  { webhookEndpoints }: Collections,
  { networkId, endpointId, queued }: EndpointKey & Pick<WebhookEndpointRecord, 'queued'>,
  nextDueAt: Date | null,
): Promise<void> {
  await webhookEndpoints.updateOne(
    { networkId, endpointId, queued },
    nextDueAt ? { $set: { dueAt: nextDueAt } } : { $unset: { dueAt: '' } },
  );
}
