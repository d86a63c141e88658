import { randomUUID } from 'node:crypto';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { RenderBody } from './attempt.ts';
import type { BodyStore } from './body-store.ts';
import type { PlannedDelivery } from './plan-deliveries.ts';
import { announceAllDue, insertNew, newDelivery, type When } from './queue.ts';
import type { Reservation, Reserve } from './worker.ts';

export interface EnqueueOptions {
  collections: Collections;
  bodyStore: BodyStore;
  renderBody: RenderBody;
  reserve: Reserve;
  /** Called when deliveries are due that this process has not reserved. */
  onQueued(): void;
}

interface Prepared {
  record: WebhookDeliveryRecord;
  /** Set when this process sends it immediately, instead of any process that claims it. */
  reserved: { reservation: Reservation; body: string } | null;
}

/**
 * Stores deliveries, each once however often it is enqueued.
 *
 * They reach a worker in two ways. A delivery for which this process reserves room is stored after its body, with a lease
 * of this process, and sent immediately. All others are claimed, by any process. Claims alone would be correct, and nothing
 * can replace them: retries, replays, other processes and deliveries beyond the room need them. Reservations save two of
 * the four writes of a delivery, its lease and its body, and the search for due endpoints before the first attempt; see
 * docs/decisions/0016-webhook-deliveries.md.
 */
export async function enqueue(options: EnqueueOptions, planned: readonly PlannedDelivery[], when: When): Promise<void> {
  if (planned.length === 0) return;
  const lease = randomUUID();
  const prepared = await Promise.all(planned.map((one) => prepare(options, one, { ...when, lease })));
  const records = prepared.map(({ record }) => record);
  let bodies: Map<WebhookDeliveryRecord, Buffer>;
  let isNew: boolean[];
  try {
    bodies = await storeBodies(options.bodyStore, prepared);
    isNew = await insertNew(options.collections, records);
  } catch (error) {
    for (const { reserved } of prepared) reserved?.reservation.cancel();
    throw error;
  }
  for (const [index, { record, reserved }] of prepared.entries()) {
    if (isNew[index]) reserved?.reservation.send({ delivery: record, body: bodies.get(record)! });
    else reserved?.reservation.cancel();
  }
  // A delivery that existed before may be due already.
  const dueAts = prepared.map(({ record, reserved }, index) => (reserved && isNew[index] ? record.dueAt : when.now));
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
  if (!reservation) return { record, reserved: null };
  try {
    const body = await renderBody({ event: source, cursor: record.cursor ?? source.eventId }, endpoint);
    if (body !== null) {
      const dueAt = new Date(when.now.getTime() + reservation.leaseMs);
      // With a stored body, the delivery needs no source to render.
      return { record: { ...record, source: null, dueAt, lease: when.lease }, reserved: { reservation, body } };
    }
    record.state = 'dropped';
  } catch {
    // The worker that claims it renders again and reports the error.
  }
  reservation.cancel();
  return { record, reserved: null };
}

/** Stores the bodies of reserved deliveries, and sets their `bodyId`. @returns the bytes by delivery */
async function storeBodies(
  bodyStore: BodyStore,
  prepared: readonly Prepared[],
): Promise<Map<WebhookDeliveryRecord, Buffer>> {
  const rendered = prepared.flatMap(({ record, reserved }) =>
    reserved ? [{ delivery: record, body: reserved.body }] : [],
  );
  const stored = await bodyStore.store(rendered);
  return new Map(
    rendered.map(({ delivery }, index) => {
      const { bodyId, bytes } = stored[index]!;
      delivery.bodyId = bodyId;
      return [delivery, bytes];
    }),
  );
}
