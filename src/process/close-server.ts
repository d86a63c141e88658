import type { Config } from '../config.ts';
import type { Gateway } from '../gateway.ts';

/** Time in which requests in progress finish: their deadline, and a second to send the answer. */
export const finishesWithinMs = ({ DATABASE_TIMEOUT_MS }: Config): number => DATABASE_TIMEOUT_MS + 1_000;

/** Waits for requests in progress, and closes connections without one. */
export async function closeServer({ server }: Gateway, closeIdle: () => void, config: Config): Promise<void> {
  const timers = [
    setTimeout(closeIdle, GRACE_MS),
    setTimeout(() => server.server.closeAllConnections(), finishesWithinMs(config)),
    // After an answer that began before the close, such as a stream, the client keeps its connection open.
    setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS),
  ];
  try {
    await server.close();
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Time in which a request may still arrive on a connection that is open already. */
const GRACE_MS = 500;
const CLOSE_IDLE_EVERY_MS = 100;
