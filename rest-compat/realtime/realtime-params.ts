import { z } from 'zod';
import { id, int } from '../params.ts';

/** Maximum wait of a long poll in seconds. */
export const MAX_WAIT_SECONDS = 30;

export const realtimeParams = z.object({
  after: id(1_100)
    .optional()
    .describe(
      'Cursor to resume after; events are delivered oldest first. Default: the newest event, or for a stream, events from now on.',
    ),
  wait: int({ min: 0, max: MAX_WAIT_SECONDS })
    .default(0)
    .describe(`Seconds to wait for an event after the cursor, at most ${MAX_WAIT_SECONDS}. Streams ignore it.`),
  topic: id(900)
    .optional()
    .describe(
      'Topic filter by path. `+` matches one part of the path; a final `#` matches the path before it and everything below.',
    ),
});
