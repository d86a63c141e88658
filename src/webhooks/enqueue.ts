import { randomUUID } from 'node:crypto';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { RenderBody } from './attempt.ts';
import type { Meant } from './plan-deliveries.ts';
import { announceAll, insertNew, newDelivery, type When } from './queue.ts';
import type { Reserve, Reserved } from './worker.ts';

export interface PutInOptions {
  collections: Collections;
  renderBody: RenderBody;
  reserve: Reserve;
  /** Told when deliveries are due that nobody has taken. */
  onQueued(): void;
}

interface Prepared {
  record: WebhookDeliveryRecord;
  /** Where this process sends it at once; null: it waits to be claimed. */
  place: Reserved | null;
}

/**
 * Puts deliveries in, each once however often it is tried. What this process has room for is its own from the start,
 * with its body, and goes out as soon as it is kept.
 */
export async function putIn(options: PutInOptions, meant: readonly Meant[], when: When): Promise<void> {
  if (meant.length === 0) return;
  const lease = randomUUID();
  const prepared = await Promise.all(meant.map((one) => prepare(options, one, { ...when, lease })));
  const records = prepared.map(({ record }) => record);
  let isNew: boolean[];
  try {
    isNew = await insertNew(options.collections, records);
  } catch (error) {
    for (const { place } of prepared) place?.giveUp();
    throw error;
  }
  for (const [index, { record, place }] of prepared.entries()) {
    if (isNew[index]) place?.send(record);
    else place?.giveUp();
  }
  // What is known already may be due by now.
  const dueAts = prepared.map(({ record, place }, index) => (place && isNew[index] ? record.dueAt : when.now));
  await announceAll(options.collections, records, dueAts);
  if (dueAts.some((dueAt) => dueAt <= when.now)) options.onQueued();
}

async function prepare(
  { renderBody, reserve }: PutInOptions,
  { delivery, endpoint, readAt }: Meant,
  when: When & { lease: string },
): Promise<Prepared> {
  const record = newDelivery(delivery, when);
  const { source } = record;
  const place = source && reserve(endpoint, readAt);
  if (!place) return { record, place: null };
  try {
    const body = await renderBody({ event: source, cursor: record.cursor ?? source.eventId }, endpoint);
    if (body !== null) {
      const dueAt = new Date(when.now.getTime() + place.leaseMs);
      // Whose body is made needs nothing to make it from.
      return { record: { ...record, body, source: null, dueAt, lease: when.lease }, place };
    }
    record.state = 'dropped';
  } catch {
    // Whoever claims it tries again, and tells.
  }
  place.giveUp();
  return { record, place: null };
}
