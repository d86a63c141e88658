/** What those who listen may take of the process, whatever door they came through. */
export const LIVE_LIMITS = {
  /** Milliseconds that a socket has to say who it is. */
  initMs: 10_000,
  /** Bytes of one message of a client. */
  payload: 262_144,
  /** Subscriptions on one socket. */
  subscriptions: 100,
  /** Subscriptions on all sockets of one user in this process. */
  subscriptionsPerUser: 500,
  /** Characters of one subscription with its variables. */
  subscription: 32_768,
  /** Queries and mutations under way on one socket. */
  operations: 20,
  /** Sockets and streams of one user in this process. */
  perUser: 100,
  /** Bytes that may wait for a slow reader before its connection is cut. */
  buffered: 1_048_576,
  /** Milliseconds between signs of life; who gives none back for as long is cut. */
  heartbeatMs: 15_000,
} as const;
