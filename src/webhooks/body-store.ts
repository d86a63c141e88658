import { LRUCache } from 'lru-cache';
import { type ClientSession, ObjectId } from 'mongodb';
import type { Collections } from '../store/collections.ts';
import type { WebhookBodyRecord, WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { Store } from '../store/store.ts';

/** A body that deliveries refer to. */
export interface StoredBody {
  bodyId: string;
  /** UTF-8, encoded once for all endpoints. */
  bytes: Buffer;
}

/** A rendered body and the delivery that sends it. */
export interface BodyToStore {
  delivery: Pick<WebhookDeliveryRecord, 'networkId' | 'eventId' | 'expiresAt'>;
  body: string;
}

export interface BodyStore {
  /**
   * Stores rendered bodies before deliveries refer to them: equal bodies of one event once, and bodies that this process
   * has just stored not again. @returns them in the order given
   */
  store(rendered: readonly BodyToStore[]): Promise<StoredBody[]>;
  /** @returns null for a body that was removed, such as by an erasure */
  load(delivery: Pick<WebhookDeliveryRecord, 'networkId' | 'eventId'>, bodyId: string): Promise<StoredBody | null>;
}

interface Recent extends StoredBody {
  body: string;
  expiresAt: Date;
}

/**
 * How much longer than its first delivery a body is stored, so that later deliveries of the event can refer to it and its
 * removal never precedes theirs.
 */
const SPARE_MS = 3_600_000;
/** Heap of the bodies that were stored last: those of an event are sent within seconds. */
const MAX_RECENT_BYTES = 4 * 1_048_576;
/** Heap of an entry, without texts and bytes. */
const ENTRY_BYTES = 1_024;

/** Stores the bodies of deliveries apart from them, once for all endpoints that receive the same bytes. */
export function createBodyStore(
  { collections, batchers }: Pick<Store, 'collections' | 'batchers'>,
  now: () => Date,
): BodyStore {
  /** By network and event. */
  const recent = new LRUCache<string, Recent[]>({
    maxSize: MAX_RECENT_BYTES,
    // A character takes two bytes in a text with one outside Latin-1.
    sizeCalculation: (stored) =>
      stored.reduce((sum, { body, bytes }) => sum + ENTRY_BYTES + 2 * body.length + bytes.length, 1),
  });

  return {
    async store(rendered) {
      const added = new Map<string, Recent[]>();
      const records: WebhookBodyRecord[] = [];
      const bodies = rendered.map((one): StoredBody => {
        const { delivery, body } = one;
        const name = nameOf(delivery);
        const stored = [...(recent.get(name) ?? []), ...(added.get(name) ?? [])];
        const known = stored.find((other) => other.body === body && other.expiresAt >= delivery.expiresAt);
        if (known) return known;
        const record = recordOf(one, now());
        records.push(record);
        const { bodyId, expiresAt } = record;
        const entry = { bodyId, bytes: bytesOf(body), body, expiresAt };
        added.set(name, [...(added.get(name) ?? []), entry]);
        return entry;
      });
      if (records.length > 0) await collections.webhookBodies.insertMany(records, { ordered: false });
      for (const [name, entries] of added) recent.set(name, [...(recent.get(name) ?? []), ...entries]);
      return bodies;
    },
    async load(delivery, bodyId) {
      const found = await batchers.webhookBodies.load(delivery.networkId, bodyId);
      if (!found) recent.delete(nameOf(delivery));
      return found && { bodyId, bytes: Buffer.from(found.body) };
    },
  };
}

function recordOf({ delivery: { networkId, eventId, expiresAt }, body }: BodyToStore, now: Date): WebhookBodyRecord {
  const _id = new ObjectId();
  return {
    _id,
    networkId,
    bodyId: _id.toHexString(),
    eventId,
    body,
    expiresAt: withSpare(expiresAt),
    createdAt: now,
    updatedAt: now,
  };
}

/** Outside Node's pool, of which a small buffer would keep a block in memory. */
function bytesOf(body: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  bytes.write(body);
  return bytes;
}

const withSpare = (expiresAt: Date): Date => new Date(expiresAt.getTime() + SPARE_MS);

const nameOf = ({ networkId, eventId }: Pick<WebhookDeliveryRecord, 'networkId' | 'eventId'>): string =>
  `${networkId} ${eventId}`;

/** Stores bodies for as long as deliveries that were enqueued again refer to them. */
export async function extendBodies(
  { webhookBodies }: Collections,
  { networkId, bodyIds, expiresAt }: { networkId: string; bodyIds: readonly string[]; expiresAt: Date },
  session: ClientSession,
): Promise<void> {
  if (bodyIds.length === 0) return;
  const filter = { networkId, bodyId: { $in: [...new Set(bodyIds)] } };
  await webhookBodies.updateMany(filter, { $max: { expiresAt: withSpare(expiresAt) } }, { session });
}
