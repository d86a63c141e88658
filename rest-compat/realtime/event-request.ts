import type { Services } from '../../src/context.ts';
import type { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import type { Listener, SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';

/** Who polls, for what. */
export interface EventRequest {
  services: Services;
  realtime: Realtime;
  program: SubscriptionSpec;
  session: Listener['session'];
  /** Told when the session ends meanwhile, or the client goes. */
  onEnd(listener: (reason: OperationError) => void): () => void;
  /** Called once it is over. */
  leave(): void;
}

export interface EventAnswer {
  /** The event; null for none. */
  text: string | null;
  /** Give it as `after` to go on from here. */
  cursor: Cursor;
}
