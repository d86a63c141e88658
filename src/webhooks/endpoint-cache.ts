import type { WebhookEndpointRecord } from '../store/records/webhook.ts';

/** The current endpoint, for deliveries that waited: it may have changed since they were claimed. */
export interface EndpointCache {
  /** At most a second old, and never older than the last {@link invalidate}; null when it was deleted. */
  get(): Promise<WebhookEndpointRecord | null>;
  /** Stores a record that was just read. @param readAt when reading began, in `performance.now()` time */
  put(record: WebhookEndpointRecord, readAt: number): void;
  /** Makes the next `get` read the endpoint, because it was changed. */
  invalidate(): void;
}

const FRESH_MS = 1_000;

export function createEndpointCache(read: () => Promise<WebhookEndpointRecord | null>): EndpointCache {
  let record: Promise<WebhookEndpointRecord | null> | null = null;
  let recordAt = Number.NEGATIVE_INFINITY;
  let invalidatedAt = Number.NEGATIVE_INFINITY;

  function keep(found: Promise<WebhookEndpointRecord | null>, at: number): void {
    record = found;
    recordAt = at;
  }

  return {
    get() {
      const now = performance.now();
      if (record && now - recordAt < FRESH_MS) return record;
      const reading = read();
      keep(reading, now);
      reading.catch(() => {
        if (record === reading) record = null;
      });
      return reading;
    },
    put(found, readAt) {
      if (readAt > invalidatedAt && readAt > recordAt) keep(Promise.resolve(found), readAt);
    },
    invalidate() {
      invalidatedAt = performance.now();
      record = null;
    },
  };
}
