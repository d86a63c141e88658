import type { Services } from '../../src/context.ts';
import type { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import type { Listener, SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';

/** A request for events over HTTP: a long poll or a stream. */
export interface EventRequest {
  services: Services;
  realtime: Realtime;
  spec: SubscriptionSpec;
  session: Listener['session'];
  /** Registers a callback for the end of the session or the connection. @returns unregisters it */
  onEnd(listener: (reason: OperationError) => void): () => void;
  /** Releases the session and the connection quota. */
  release(): void;
}

export interface EventAnswer {
  /** The rendered event; null for none. */
  text: string | null;
  /** Pass it as `after` to receive the next event. */
  cursor: Cursor;
}
