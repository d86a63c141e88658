import { ObjectId } from 'mongodb';
import type { Collections } from '../store/collections.ts';
import type { WebhookPositionRecord } from '../store/records/webhook.ts';

/** Stored as the network's id, because one checkpoint serves the whole deployment. */
const ALL = '*';

/** Longest plausible difference of clocks. A lease that ends later than that allows is ignored: its holder's clock is wrong. */
const CLOCKS_DIFFER_MS = 60_000;

/** The right of one process to turn events into deliveries. When the process dies, another takes over at the lease's end. */
export interface Lease {
  holder: string;
  leaseMs: number;
  now(): Date;
}

/** Acquires the lease. @returns the checkpoint, or null when another process holds the lease */
export async function acquireCheckpoint(
  { webhookPositions }: Collections,
  lease: Lease,
): Promise<WebhookPositionRecord | null> {
  const now = lease.now();
  const latestPlausible = new Date(now.getTime() + lease.leaseMs + CLOCKS_DIFFER_MS);
  const ended = [{ leaseEndsAt: { $lte: now } }, { leaseEndsAt: { $gt: latestPlausible } }];
  const taken = await webhookPositions.findOneAndUpdate(
    { networkId: ALL, $or: [{ holder: lease.holder }, ...ended] },
    { $set: heldBy(lease) },
    { returnDocument: 'after' },
  );
  if (taken) return taken;
  const first = { _id: new ObjectId(), networkId: ALL, cursor: null, dispatchedUntil: now, createdAt: now };
  // Inserts nothing if another process holds the checkpoint or has just created it.
  const { upsertedCount } = await webhookPositions.updateOne(
    { networkId: ALL },
    { $setOnInsert: { ...first, ...heldBy(lease) } },
    { upsert: true },
  );
  return upsertedCount > 0 ? { ...first, ...heldBy(lease) } : null;
}

/** Saves the progress and extends the lease. @returns whether this process still held the lease */
export async function saveCheckpoint(
  { webhookPositions }: Collections,
  lease: Lease,
  progress: Partial<Pick<WebhookPositionRecord, 'cursor' | 'dispatchedUntil'>> = {},
): Promise<boolean> {
  const { matchedCount } = await webhookPositions.updateOne(
    { networkId: ALL, holder: lease.holder },
    { $set: { ...progress, ...heldBy(lease) } },
  );
  return matchedCount > 0;
}

/** Ends the lease, so that another process can take over immediately. */
export async function releaseCheckpoint({ webhookPositions }: Collections, { holder, now }: Lease): Promise<void> {
  await webhookPositions.updateOne({ networkId: ALL, holder }, { $set: { leaseEndsAt: now() } });
}

function heldBy({ holder, leaseMs, now }: Lease) {
  const time = now();
  return { holder, leaseEndsAt: new Date(time.getTime() + leaseMs), updatedAt: time };
}
