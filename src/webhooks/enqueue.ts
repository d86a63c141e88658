import { randomUUID } from 'node:crypto';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { RenderBody } from './attempt.ts';
import type { PlannedDelivery } from './plan-deliveries.ts';
import { announceAllDue, insertNew, newDelivery, type When } from './queue.ts';
import type { Reservation, Reserve } from './worker.ts';

export interface EnqueueOptions {
  collections: Collections;
  renderBody: RenderBody;
  reserve: Reserve;
  /** Called when deliveries are due that this process has not reserved. */
  onQueued(): void;
}

interface Prepared {
  record: WebhookDeliveryRecord;
  /** Room in this process, which sends it immediately; null when it has to be claimed. */
  reservation: Reservation | null;
}

/**
 * Stores deliveries, each once however often it is enqueued.
 *
 * They reach a worker in two ways. A delivery for which this process reserves room is stored with its body and a lease of
 * this process, and sent immediately. All others are claimed, by any process. Claims alone would be correct, and nothing
 * can replace them: retries, replays, other processes and deliveries beyond the room need them. Reservations save two of
 * the four writes of a delivery, its lease and its body, and the search for due endpoints before the first attempt; see
 * docs/decisions/0016-webhook-deliveries.md.
 */
export async function enqueue(options: EnqueueOptions, planned: readonly PlannedDelivery[], when: When): Promise<void> {
  if (planned.length === 0) return;
  const lease = randomUUID();
  const prepared = await Promise.all(planned.map((one) => prepare(options, one, { ...when, lease })));
  const records = prepared.map(({ record }) => record);
  let isNew: boolean[];
  try {
    isNew = await insertNew(options.collections, records);
  } catch (error) {
    for (const { reservation } of prepared) reservation?.cancel();
    throw error;
  }
  for (const [index, { record, reservation }] of prepared.entries()) {
    if (isNew[index]) reservation?.send(record);
    else reservation?.cancel();
  }
  // A delivery that existed before may be due already.
  const dueAts = prepared.map(({ record, reservation }, index) =>
    reservation && isNew[index] ? record.dueAt : when.now,
  );
  await announceAllDue(options.collections, records, dueAts);
  if (dueAts.some((dueAt) => dueAt <= when.now)) options.onQueued();
}

async function prepare(
  { renderBody, reserve }: EnqueueOptions,
  { delivery, endpoint, readAt }: PlannedDelivery,
  when: When & { lease: string },
): Promise<Prepared> {
  const record = newDelivery(delivery, when);
  const { source } = record;
  const reservation = source && reserve(endpoint, readAt);
  if (!reservation) return { record, reservation: null };
  try {
    const body = await renderBody({ event: source, cursor: record.cursor ?? source.eventId }, endpoint);
    if (body !== null) {
      const dueAt = new Date(when.now.getTime() + reservation.leaseMs);
      // With its body, the delivery needs no source to render.
      return { record: { ...record, body, source: null, dueAt, lease: when.lease }, reservation };
    }
    record.state = 'dropped';
  } catch {
    // The worker that claims it renders again and reports the error.
  }
  reservation.cancel();
  return { record, reservation: null };
}
