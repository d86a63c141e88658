import type { Context, Viewer } from '../context.ts';
import type { OperationError } from '../errors.ts';
import type { LiveEvent } from '../events/log.ts';
import type { UndeliverableEvent } from './rendering/undeliverable-event.ts';
import type { LiveSession } from './subscribers/live-sessions.ts';
import type { TopicFilter } from './topic-filter.ts';
import type { Payload } from './visibility/event-view.ts';
import type { LazyEventView } from './visibility/lazy-event-view.ts';
import type { Membership } from './visibility/memberships.ts';

/** What a subscription selects, and how its events are rendered. */
export interface SubscriptionSpec {
  /** Specs with equal keys render equal text for viewers with equal rights. */
  key: string;
  types: ReadonlySet<string>;
  topic: TopicFilter | null;
  /** Renders the event for the context's viewer. @throws {UnavailableError} while the database is unavailable */
  render(root: EventRoot, context: Context): Promise<string | TextByMembership>;
  /**
   * Selects the listeners that may receive an event, for a spec whose listeners have different topics. Visibility is
   * evaluated for the selected ones. @default all listeners of the spec
   */
  audience?(live: LiveEvent, lazyView: LazyEventView): Promise<Iterable<Listener>>;
  /** Called when a live event was delivered to all listeners, or dropped. */
  onSettled?(live: LiveEvent): void;
}

/** A recipient of an event with their membership in its community or channel. */
export interface TextRecipient {
  viewer: Viewer;
  membership: Membership | null;
}

/** The text of an event that differs between recipients with equal rights only by their membership. */
export interface TextByMembership {
  /** Prepares the texts of the recipients. The function returns the text of one of them. */
  prepare(recipients: readonly TextRecipient[]): Promise<(recipient: TextRecipient) => string>;
}

/** The source value of an event: the root of its GraphQL execution. */
export interface EventRoot {
  live: LiveEvent;
  payload: Payload;
}

/** The transport's end of a subscription. */
export interface Listener {
  session: Pick<LiveSession, 'viewer' | 'rightsKey' | 'refreshing' | 'hasEnded'>;
  /** Sends the text to the client; must not block. */
  deliver(text: string, live: LiveEvent): void;
  /** Called instead of `deliver` for an event that cannot be rendered. If absent, such an event ends the subscription. */
  onUndeliverable?(event: UndeliverableEvent): void;
  /** Maximum missed events that are rendered concurrently. A long poll, which delivers one event, sets 1. @default unlimited */
  concurrency?: number;
  /** Whether the client reads slowly; the replay of missed events then pauses. */
  isSlow?(): boolean;
  /** Called when all missed events have been delivered. */
  onCaughtUp?(): void;
  /** Called when the subscription ends. */
  onLost(reason: OperationError): void;
}

export interface Subscription {
  /** Whether every event read from the log so far has been delivered. */
  readonly isCaughtUp: boolean;
  close(): void;
}

export function matchesSpec({ types, topic }: SubscriptionSpec, { event }: LiveEvent): boolean {
  return types.has(event.type) && (!topic || topic(event.path));
}
