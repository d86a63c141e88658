import { setTimeout as pause } from 'node:timers/promises';
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Collections } from '../store/collections.ts';
import type { WebhookDeliveryRecord } from '../store/records/webhook.ts';

export type Claimed = Pick<WebhookDeliveryRecord, 'networkId' | 'endpointId' | 'eventId' | 'lease'>;

export interface Changes {
  $set: Partial<WebhookDeliveryRecord>;
  $push?: object;
}

/** Updates deliveries that this process holds. Has no effect when another process holds the lease now. */
export interface Writer {
  change(delivery: Claimed, changes: Changes): Promise<void>;
  /** Stores the body. @returns whether this process still held the lease */
  keepBody(delivery: Claimed, body: string): Promise<boolean>;
}

interface Waiting {
  delivery: Claimed;
  changes: Changes;
  /** @param isWhole whether every update of the command matched a record */
  done(isWhole: boolean): void;
  failed(error: unknown): void;
}

const MAX_BATCH = 200;
/** Results of one event at several endpoints arrive within milliseconds of each other. */
const GATHER_MS = 3;

/** Combines updates that arrive within {@link GATHER_MS}, or during a command, into the next command. */
export function createWriter({ webhookDeliveries }: Collections): Writer {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    await pause(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const { matchedCount } = await webhookDeliveries.bulkWrite(batch.map(toWrite), { ordered: false });
        for (const { done } of batch) done(matchedCount === batch.length);
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  function write(delivery: Claimed, changes: Changes): Promise<boolean> {
    return new Promise((done, failed) => {
      waiting.push({ delivery, changes, done, failed });
      if (!isWriting) void writeAll();
    });
  }

  return {
    async change(delivery, changes) {
      await write(delivery, changes);
    },
    async keepBody(delivery, body) {
      // `matchedCount` covers the whole batch: re-read this delivery.
      return (await write(delivery, { $set: { body } })) || (await webhookDeliveries.findOne(keyOf(delivery))) !== null;
    },
  };
}

function toWrite({ delivery, changes }: Waiting): AnyBulkWriteOperation<WebhookDeliveryRecord> {
  return { updateOne: { filter: keyOf(delivery), update: changes as never } };
}

function keyOf({ networkId, endpointId, eventId, lease }: Claimed) {
  return { networkId, endpointId, eventId, lease };
}
