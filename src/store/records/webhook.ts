import type { BaseRecord } from './base.ts';
import type { EventRecord } from './event.ts';

/** A signing key of deliveries. */
export interface WebhookSecret {
  /** `whsec_` and base64; returned to its owner once. */
  key: string;
  createdAt: Date;
  /** When a key that was replaced stops being used; null for the current key. */
  endsAt: Date | null;
}

/** Why an endpoint is disabled: by an admin, after days of failure, or because the receiver answered 410. */
export type DisabledReason = 'admin' | 'failing' | 'gone';

/** A URL that receives events of a network. */
export interface WebhookEndpointRecord extends BaseRecord {
  endpointId: string;
  url: string;
  /** Newest first. */
  secrets: WebhookSecret[];
  /** Public event names, such as `v3.post.didCreate`. */
  events: string[];
  method: 'POST' | 'GET';
  /** Sent as `Authorization: Bearer` with the two push notifications. */
  accessToken: string | null;
  payload: 'documented' | 'selection';
  /** GraphQL subscription document that defines the body when `payload` is `selection`. */
  selection: string | null;
  enabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** Since when all attempts have failed; null if the last one succeeded. */
  failingSince: Date | null;
  /** A lower bound of when its first delivery is due; absent if none is pending. */
  dueAt?: Date;
  /** Counts enqueued deliveries, so that a worker that finds the queue empty notices a concurrent enqueue. */
  queued: number;
  /** Until when its receiver requested a pause (`Retry-After`). */
  heldUntil: Date | null;
}

/** `dropped`: at delivery time there was nothing left to send, for example because the record was deleted. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'dropped';

/** One request to an endpoint and its result. */
export interface WebhookAttempt {
  attemptedAt: Date;
  durationMs: number;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Why the attempt failed; null if it succeeded. */
  error: string | null;
  /** The beginning of the response body. */
  response: string | null;
}

/** The delivery of one event to one endpoint. */
export interface WebhookDeliveryRecord extends BaseRecord {
  endpointId: string;
  /** Unique with the endpoint: an event is not delivered again under another name. */
  eventId: string;
  /** The public event name. */
  event: string;
  /** The event from which the body is rendered; null if the body is stored from the start. */
  source: EventRecord | null;
  /** The event's position in the log; null if it was read from the event records. */
  cursor: string | null;
  /**
   * The {@link WebhookBodyRecord} that every attempt sends. It is rendered at the first attempt and stored before it, so
   * that the same `webhook-id` always has the same bytes; absent before.
   */
  bodyId?: string;
  /** The body itself: of a ping, and of deliveries that release 0.1.0 rendered; null if it is stored by `bodyId`. */
  body: string | null;
  state: DeliveryState;
  /** When the next attempt is due; during an attempt, when another process may claim the delivery. */
  dueAt: Date;
  /** The process that is attempting it. */
  lease: string | null;
  /** Number of attempts since it was enqueued or replayed. */
  attemptCount: number;
  /** The most recent ones. */
  attempts: WebhookAttempt[];
  deliveredAt: Date | null;
  /** When the TTL index removes the record. */
  expiresAt: Date;
}

/** A body that was rendered once and is sent by the deliveries that refer to it. Immutable except for its expiry. */
export interface WebhookBodyRecord extends BaseRecord {
  bodyId: string;
  eventId: string;
  body: string;
  /** When the TTL index removes it: after the last delivery that refers to it. */
  expiresAt: Date;
}

/** The position in the event log up to which deliveries are created; one for the whole deployment. */
export interface WebhookPositionRecord extends BaseRecord {
  /** The leading process, until the lease ends. */
  holder: string;
  leaseEndsAt: Date;
  /** Where reading the log continues; null before the first event. */
  cursor: string | null;
  /** When the newest processed event was written. */
  dispatchedUntil: Date;
}
