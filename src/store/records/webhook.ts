import type { BaseRecord } from './base.ts';
import type { EventRecord } from './event.ts';

/** One key that deliveries are signed with. */
export interface WebhookSecret {
  /** `whsec_` and base64; told to its owner once. */
  key: string;
  createdAt: Date;
  /** While a new one takes its place; null: it stays. */
  endsAt: Date | null;
}

/** Why nothing is sent any more: by an admin, after days of failure, or because the receiver answered 410. */
export type DisabledReason = 'admin' | 'failing' | 'gone';

/** Where events of a network are sent. */
export interface WebhookEndpointRecord extends BaseRecord {
  endpointId: string;
  url: string;
  /** The newest first. */
  secrets: WebhookSecret[];
  /** Names that receivers know, such as `v3.post.didCreate`. */
  events: string[];
  method: 'POST' | 'GET';
  /** Sent as `Authorization: Bearer` with the two push notifications (interface §6.2). */
  accessToken: string | null;
  payload: 'documented' | 'selection';
  /** GraphQL document of subscriptions that gives the body, where `payload` says so. */
  selection: string | null;
  enabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** Since when nothing was delivered although something was tried; null: all is well. */
  failingSince: Date | null;
  /** When the first of its deliveries is due; absent: none waits. Never later than that, perhaps earlier. */
  dueAt?: Date;
  /** Counts what was put into its queue, so that an emptied queue is not taken for one that was filled meanwhile. */
  queued: number;
  /** Its receiver asked for silence until then. */
  heldUntil: Date | null;
}

/** Dropped: there was nothing to tell any more. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'dropped';

/** One request to an endpoint, and what came of it. */
export interface WebhookAttempt {
  attemptedAt: Date;
  durationMs: number;
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** Why it does not count as delivered; null when it does. */
  error: string | null;
  /** How the answer began. */
  response: string | null;
}

/** One event on its way to one endpoint. */
export interface WebhookDeliveryRecord extends BaseRecord {
  endpointId: string;
  /** With the endpoint: no event is delivered twice under two names. */
  eventId: string;
  /** The name that the receiver is told. */
  event: string;
  /** What the body is made from; null where that is there from the start. */
  source: EventRecord | null;
  /** The event's place in the log; null when it was taken from the records of events. */
  cursor: string | null;
  /** Made at the first attempt and kept, so that one `webhook-id` always stands for the same bytes. */
  body: string | null;
  state: DeliveryState;
  /** When it is tried next; while it is being tried, when somebody else may. */
  dueAt: Date;
  /** Who is trying it. */
  lease: string | null;
  /** How often it was tried since it was put in, or replayed. */
  attemptCount: number;
  /** The latest ones. */
  attempts: WebhookAttempt[];
  deliveredAt: Date | null;
  /** A TTL index removes it then. */
  expiresAt: Date;
}

/** How far the log of events has been turned into deliveries; one for the whole deployment. */
export interface WebhookPositionRecord extends BaseRecord {
  /** The process that does it, until the lease ends. */
  holder: string;
  leaseEndsAt: Date;
  /** Where the log goes on; null before the first time. */
  cursor: string | null;
  /** When the newest event that was turned into deliveries was written. */
  dispatchedUntil: Date;
}
