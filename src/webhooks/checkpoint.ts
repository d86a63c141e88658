import { ObjectId } from 'mongodb';
import type { Collections } from '../store/collections.ts';
import type { WebhookPositionRecord } from '../store/records/webhook.ts';

/** No network's id: the position is the deployment's. */
const ALL = '*';

/** A lease that ends later than any can was given by a clock that was wrong: it would be kept from everybody. */
const CLOCKS_DIFFER_MS = 60_000;

/** Whoever holds the lease turns events into deliveries; a process that dies hands over when it ends. */
export interface Lease {
  holder: string;
  leaseMs: number;
  now(): Date;
}

/** @returns the position, when this process holds the lease now; else null */
export async function takePosition(
  { webhookPositions }: Collections,
  lease: Lease,
): Promise<WebhookPositionRecord | null> {
  const now = lease.now();
  const unlikely = new Date(now.getTime() + lease.leaseMs + CLOCKS_DIFFER_MS);
  const ended = [{ leaseEndsAt: { $lte: now } }, { leaseEndsAt: { $gt: unlikely } }];
  const taken = await webhookPositions.findOneAndUpdate(
    { networkId: ALL, $or: [{ holder: lease.holder }, ...ended] },
    { $set: heldBy(lease) },
    { returnDocument: 'after' },
  );
  if (taken) return taken;
  const first = { _id: new ObjectId(), networkId: ALL, cursor: null, dispatchedUntil: now, createdAt: now };
  // Somebody else holds it, or has just made it.
  const { upsertedCount } = await webhookPositions.updateOne(
    { networkId: ALL },
    { $setOnInsert: { ...first, ...heldBy(lease) } },
    { upsert: true },
  );
  return upsertedCount > 0 ? { ...first, ...heldBy(lease) } : null;
}

/** Notes how far it has come, and keeps the lease. @returns whether this process still held it */
export async function keepPosition(
  { webhookPositions }: Collections,
  lease: Lease,
  reached: Partial<Pick<WebhookPositionRecord, 'cursor' | 'dispatchedUntil'>> = {},
): Promise<boolean> {
  const { matchedCount } = await webhookPositions.updateOne(
    { networkId: ALL, holder: lease.holder },
    { $set: { ...reached, ...heldBy(lease) } },
  );
  return matchedCount > 0;
}

/** Lets another process go on at once. */
export async function leavePosition({ webhookPositions }: Collections, { holder, now }: Lease): Promise<void> {
  await webhookPositions.updateOne({ networkId: ALL, holder }, { $set: { leaseEndsAt: now() } });
}

function heldBy({ holder, leaseMs, now }: Lease) {
  const time = now();
  return { holder, leaseEndsAt: new Date(time.getTime() + leaseMs), updatedAt: time };
}
