import type { Services } from '../../src/context.ts';
import type { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { Hub } from '../../src/events/hub.ts';
import type { LiveEvent } from '../../src/events/log.ts';
import type { Listener, Program } from '../../src/realtime/program.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { UnavailableError } from '../../src/unavailable.ts';

/** Who polls, for what. */
export interface Poll {
  services: Services;
  realtime: Realtime;
  program: Program;
  session: Listener['session'];
  /** Told when the session ends meanwhile. */
  onEnd(listener: (reason: OperationError) => void): () => void;
  /** Called once it is over. */
  leave(): void;
}

export interface Polled {
  /** The event; null for none. */
  text: string | null;
  /** Give it as `after` to go on from here. */
  cursor: Cursor;
}

/** How far back the newest visible event is looked for. */
const MAX_LOOKED_AT = 300;

/** The newest event that whoever polls may see. What comes after the answer comes after its cursor. */
export async function answerNewest({ services, realtime, program, session, leave }: Poll): Promise<Polled> {
  try {
    const cursor = services.events.position;
    if (cursor === null) throw new UnavailableError('starting');
    const { networkId } = session.viewer;
    const events = services.store.collections.events
      .find({ networkId, type: { $in: [...program.types] } })
      .sort({ eventId: -1 })
      .limit(MAX_LOOKED_AT);
    for await (const event of events) {
      const live = await placed(services.events, event);
      const text = await realtime.fanOut.look(program, session, live ?? { cursor, event });
      if (text !== null) return { text, cursor: live?.cursor ?? cursor };
    }
    return { text: null, cursor };
  } finally {
    leave();
  }
}

/** Younger events are in memory, or will be in a moment. */
const YOUNG_MS = 60_000;
const ARRIVES_WITHIN_MS = 2_000;

/** An event with its place in the log; null for one that is older than what this process has read of it. */
async function placed(hub: Hub, event: EventRecord): Promise<LiveEvent | null> {
  const isYoung = Date.now() - event.createdAt.getTime() < YOUNG_MS;
  const end = performance.now() + (isYoung ? ARRIVES_WITHIN_MS : 0);
  for (;;) {
    const known = hub.recent(event.eventId);
    if (known || performance.now() >= end) return known;
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}

/** How often it is looked whether the newest events have all been told. */
const LOOK_MS = 15;

/** The next event after a cursor, waiting for it if told to. @throws {OperationError} CURSOR_EXPIRED, INVALID_PARAMETERS */
export function answerNext(
  { services, realtime, program, session, onEnd, leave }: Poll,
  { after, waitMs }: { after: Cursor; waitMs: number },
): Promise<Polled> {
  return new Promise<Polled>((resolve, reject) => {
    const end = (answer: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      listening.close();
      forget();
      leave();
      answer();
    };
    /** Nothing came: the next poll begins where the log has been looked through to. */
    const endInVain = () => {
      if (!listening.isUpToDate) {
        timer = setTimeout(endInVain, LOOK_MS);
        return;
      }
      const cursor = services.events.position ?? after;
      end(() => resolve({ text: null, cursor: cursor > after ? cursor : after }));
    };
    let hasEnded = false;
    let timer: NodeJS.Timeout | undefined;
    const listening = realtime.fanOut.listen(
      program,
      {
        session,
        ahead: 1,
        tell: (text, { cursor }) => end(() => resolve({ text, cursor })),
        onUpToDate() {
          if (!hasEnded) timer = setTimeout(endInVain, waitMs - (performance.now() - begun));
        },
        onLost: (reason) => end(() => reject(reason)),
      },
      after,
    );
    const begun = performance.now();
    const forget = onEnd((reason) => end(() => reject(reason)));
  });
}
