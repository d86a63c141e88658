import { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { EventAnswer, EventRequest } from './event-request.ts';

/** How often it is looked whether the newest events have all been told. */
const LOOK_MS = 15;

/**
 * The next event after a cursor, waiting for it if told to.
 *
 * @throws {OperationError} CURSOR_EXPIRED, INVALID_PARAMETERS; UNAVAILABLE when what was missed could not be read in time
 */
export function waitForNextEvent(
  { services, realtime, program, session, onEnd, leave }: EventRequest,
  { after, waitMs }: { after: Cursor; waitMs: number },
): Promise<EventAnswer> {
  return new Promise<EventAnswer>((resolve, reject) => {
    const end = (answer: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      clearTimeout(last);
      listening.close();
      forget();
      leave();
      answer();
    };
    /** Nothing came: the next poll begins where the log has been looked through to. */
    const endInVain = () => {
      if (!listening.isCaughtUp) {
        timer = setTimeout(endInVain, LOOK_MS);
        return;
      }
      const cursor = services.events.position ?? after;
      end(() => resolve({ text: null, cursor: cursor > after ? cursor : after }));
    };
    let hasEnded = false;
    let timer: NodeJS.Timeout | undefined;
    const listening = realtime.fanOut.subscribe(
      program,
      {
        session,
        concurrency: 1,
        deliver: (text, { cursor }) => end(() => resolve({ text, cursor })),
        onCaughtUp() {
          if (!hasEnded) timer = setTimeout(endInVain, waitMs - (performance.now() - begun));
        },
        onLost: (reason) => end(() => reject(reason)),
      },
      after,
    );
    const begun = performance.now();
    const last = setTimeout(
      () => end(() => reject(new OperationError('UNAVAILABLE', { message: TOO_LONG }))),
      waitMs + services.config.DATABASE_TIMEOUT_MS,
    );
    const forget = onEnd((reason) => end(() => reject(reason)));
  });
}

const TOO_LONG = 'What you missed could not be read in time: come back with your cursor.';
