import { z } from 'zod';
import { id, int } from '../params.ts';

/** Seconds that a long poll may wait (decisions.md, Realtime over HTTP). */
export const MAX_WAIT_SECONDS = 30;

export const realtimeParams = z.object({
  after: id(1_100)
    .optional()
    .describe(
      'Cursor: what came after it, the oldest first. Absent: the newest event; as a stream, what comes from now on.',
    ),
  wait: int({ min: 0, max: MAX_WAIT_SECONDS })
    .default(0)
    .describe(`Seconds to wait for an event after the cursor, up to ${MAX_WAIT_SECONDS}; a stream waits for ever.`),
  topic: id(900)
    .optional()
    .describe('Only of this path; `+` stands for any one part, `#` at the end for what is there and everything below.'),
});
