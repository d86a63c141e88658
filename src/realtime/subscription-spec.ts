import type { Context } from '../context.ts';
import type { OperationError } from '../errors.ts';
import type { LiveEvent } from '../events/log.ts';
import type { UndeliverableEvent } from './rendering/undeliverable-event.ts';
import type { LiveSession } from './subscribers/live-sessions.ts';
import type { TopicFilter } from './topic-filter.ts';
import type { Payload } from './visibility/event-view.ts';

/** What is told of events: which ones, and how they look. */
export interface SubscriptionSpec {
  /** Programs of one key make the same text for those who have the same rights. */
  key: string;
  types: ReadonlySet<string>;
  topic: TopicFilter | null;
  /** The event's text for whoever the context is of. @throws {UnavailableError} while the database is away */
  render(root: EventRoot, context: Context): Promise<string>;
}

/** What a program makes its text from. */
export interface EventRoot {
  live: LiveEvent;
  payload: Payload;
}

export interface Listener {
  session: Pick<LiveSession, 'viewer' | 'rights' | 'refreshing' | 'hasEnded'>;
  /** Hands the text on; must not wait. */
  deliver(text: string, live: LiveEvent): void;
  /** In place of an event that cannot be written. Absent: no more is told, as after a loss. */
  onUndeliverable?(event: UndeliverableEvent): void;
  /** How many of the replayed events are prepared at once: who takes one and leaves needs no others. */
  concurrency?: number;
  /** While it is slow, what is replayed waits. */
  isSlow?(): boolean;
  /** What was missed has been told, and everything that has been read of the log. */
  onCaughtUp?(): void;
  /** No more is told. */
  onLost(reason: OperationError): void;
}

export interface Subscription {
  /** Whether everything that the log has been read of has been told. */
  readonly isCaughtUp: boolean;
  close(): void;
}

export function matchesSpec({ types, topic }: SubscriptionSpec, { event }: LiveEvent): boolean {
  return types.has(event.type) && (!topic || topic(event.path));
}
