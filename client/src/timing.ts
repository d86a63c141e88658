/** Milliseconds without a message after which a connection counts as broken. The server sends one at least every 15 s. */
export const SILENCE_MS = 45_000;

/** Waits before a reconnect: half a second to 30 s, growing with the failed attempts, and random. */
export const pauseBefore = (attempt: number): Promise<void> =>
  new Promise((later) => setTimeout(later, Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)));
