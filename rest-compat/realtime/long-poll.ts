import { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { EventAnswer, EventRequest } from './event-request.ts';

/** Interval of the check whether all events have been delivered. */
const POLL_MS = 15;

/**
 * Waits for the next event after a cursor, for at most `waitMs` after all missed events were searched.
 *
 * @throws {OperationError} CURSOR_EXPIRED, INVALID_PARAMETERS; UNAVAILABLE when the missed events cannot be read in time
 */
export function waitForNextEvent(
  { services, realtime, spec, session, onEnd, release }: EventRequest,
  { after, waitMs }: { after: Cursor; waitMs: number },
): Promise<EventAnswer> {
  return new Promise<EventAnswer>((resolve, reject) => {
    const end = (answer: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      clearTimeout(deadline);
      subscription.close();
      unregister();
      release();
      answer();
    };
    /** Without an event, the response holds the position up to which the log was searched. */
    const endEmpty = () => {
      if (!subscription.isCaughtUp) {
        timer = setTimeout(endEmpty, POLL_MS);
        return;
      }
      const cursor = services.events.position ?? after;
      end(() => resolve({ text: null, cursor: cursor > after ? cursor : after }));
    };
    let hasEnded = false;
    let timer: NodeJS.Timeout | undefined;
    const subscription = realtime.fanOut.subscribe(
      spec,
      {
        session,
        concurrency: 1,
        deliver: (text, { cursor }) => end(() => resolve({ text, cursor })),
        onCaughtUp() {
          if (!hasEnded) timer = setTimeout(endEmpty, waitMs - (performance.now() - begun));
        },
        onLost: (reason) => end(() => reject(reason)),
      },
      after,
    );
    const begun = performance.now();
    const deadline = setTimeout(
      () => end(() => reject(new OperationError('UNAVAILABLE', { message: TOO_LONG }))),
      waitMs + services.config.DATABASE_TIMEOUT_MS,
    );
    const unregister = onEnd((reason) => end(() => reject(reason)));
  });
}

const TOO_LONG = 'The missed events could not be read in time. Retry with the same cursor.';
