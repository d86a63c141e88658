import type { WebhookEndpointRecord } from '../store/records/webhook.ts';

/** An endpoint as it stands, for calls that waited for their turn: what was claimed may be older than what holds. */
export interface EndpointNow {
  /** Not older than a second, nor than the last {@link spoil}; null: it was deleted. */
  get(): Promise<WebhookEndpointRecord | null>;
  /** Something was just read. @param readAt when that began, in the time of `performance.now()` */
  put(record: WebhookEndpointRecord, readAt: number): void;
  /** It was changed: whoever asks next reads it. */
  spoil(): void;
}

const FRESH_MS = 1_000;

export function createEndpointNow(read: () => Promise<WebhookEndpointRecord | null>): EndpointNow {
  let record: Promise<WebhookEndpointRecord | null> | null = null;
  let recordAt = Number.NEGATIVE_INFINITY;
  let spoiledAt = Number.NEGATIVE_INFINITY;

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
      if (readAt > spoiledAt && readAt > recordAt) keep(Promise.resolve(found), readAt);
    },
    spoil() {
      spoiledAt = performance.now();
      record = null;
    },
  };
}
