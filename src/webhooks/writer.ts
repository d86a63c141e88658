import { setTimeout as pause } from 'node:timers/promises';
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { BodyStore, StoredBody } from './body-store.ts';

export type Claimed = Pick<WebhookDeliveryRecord, 'networkId' | 'endpointId' | 'eventId' | 'lease' | 'expiresAt'>;

export interface Changes {
  $set: Partial<WebhookDeliveryRecord>;
  $push?: object;
}

/** Updates deliveries that this process holds. Has no effect when another process holds the lease now. */
export interface Writer {
  change(delivery: Claimed, changes: Changes): Promise<void>;
  /** Stores the body that was rendered for the delivery. @returns null when this process no longer held the lease */
  storeBody(delivery: Claimed, body: string): Promise<StoredBody | null>;
}

interface Waiting {
  delivery: Claimed;
  /** An update, or a rendered body. */
  change: Changes | { body: string };
  /** @param isWhole whether every update of the command matched a record */
  done(isWhole: boolean, stored: StoredBody | undefined): void;
  failed(error: unknown): void;
}

const MAX_BATCH = 200;
/** Results of one event at several endpoints arrive within milliseconds of each other. */
const GATHER_MS = 3;

/** Combines updates that arrive within {@link GATHER_MS}, or during a command, into the next command. */
export function createWriter({ webhookDeliveries }: Collections, bodyStore: BodyStore): Writer {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    await pause(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const stored = await storeBodies(batch);
        const writes = batch.map((one) => toWrite(one, stored.get(one)));
        const { matchedCount } = await webhookDeliveries.bulkWrite(writes, { ordered: false });
        for (const one of batch) one.done(matchedCount === batch.length, stored.get(one));
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  /** Stores the rendered bodies of a batch, before deliveries refer to them. */
  async function storeBodies(batch: readonly Waiting[]): Promise<ReadonlyMap<Waiting, StoredBody>> {
    const rendered = batch.filter(({ change }) => 'body' in change);
    if (rendered.length === 0) return new Map();
    const stored = await bodyStore.store(
      rendered.map(({ delivery, change }) => ({ delivery, body: (change as { body: string }).body })),
    );
    return new Map(rendered.map((one, index) => [one, stored[index]!]));
  }

  function write(waits: Waiting): void {
    waiting.push(waits);
    if (!isWriting) void writeAll();
  }

  return {
    change: (delivery, change) =>
      new Promise((resolve, failed) => write({ delivery, change, done: () => resolve(), failed })),
    async storeBody(delivery, body) {
      const { isWhole, stored } = await new Promise<{ isWhole: boolean; stored: StoredBody }>((resolve, failed) =>
        write({ delivery, change: { body }, done: (isWhole, stored) => resolve({ isWhole, stored: stored! }), failed }),
      );
      // `matchedCount` covers the whole batch: re-read this delivery.
      return isWhole || (await webhookDeliveries.findOne(keyOf(delivery))) ? stored : null;
    },
  };
}

function toWrite(
  { delivery, change }: Waiting,
  stored: StoredBody | undefined,
): AnyBulkWriteOperation<WebhookDeliveryRecord> {
  const update = stored ? { $set: { bodyId: stored.bodyId } } : change;
  return { updateOne: { filter: keyOf(delivery), update: update as never } };
}

function keyOf({ networkId, endpointId, eventId, lease }: Claimed) {
  return { networkId, endpointId, eventId, lease };
}
