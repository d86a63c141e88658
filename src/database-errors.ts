import { MongoError, MongoNetworkError, MongoNetworkTimeoutError, MongoServerError } from 'mongodb';

/** The value of `Retry-After` in answers with status 503. */
export const RETRY_AFTER_SECONDS = 2;

const MESSAGES = {
  away: 'The database does not answer right now.',
  slow: 'The database took too long to answer.',
  busy: 'Too many requests wait for the database.',
  full: 'The database accepts no writes right now: its disk is full, or it is read-only.',
  unsure: 'The database did not confirm whether the change was made: check before repeating it.',
  overloaded: 'Too many expensive requests are in progress.',
  starting: 'The database has not been reached yet.',
} as const;

export type Reason = keyof typeof MESSAGES;

/**
 * The request cannot be served now, but may succeed later. REST answers 503 with `Retry-After`, GraphQL an error with the
 * code UNAVAILABLE. Not an OperationError, so it never becomes a member of a mutation's result.
 */
export class UnavailableError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, options?: { cause?: unknown }) {
    super(MESSAGES[reason], options);
    this.name = 'UnavailableError';
    this.reason = reason;
  }
}

/** As {@link unavailability}; also reports the failure to the log and to `/readyz`. */
export type Explain = (error: unknown) => UnavailableError | null;

/** Error codes of a server that restarts, steps down as primary or cannot be reached by its router. */
const AWAY = new Set<unknown>([
  6, 7, 89, 91, 133, 134, 189, 234, 246, 365, 9001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_388, 13_435, 13_436,
  // A router cannot reach a shard, or learned only now which shard has the records.
  150, 202, 249, 281, 282, 317,
  // A cursor or transaction that the server no longer knows, usually after a restart.
  43, 237, 251, 290,
  // Authentication failed: the password was changed while the gateway runs.
  18,
]);
/** Time limits of commands, locks and write concerns, and write conflicts that persisted through all retries. */
const SLOW = new Set<unknown>([24, 50, 64, 100, 112, 262]);
/** OutOfDiskSpace, UserWritesBlocked. */
const FULL = new Set<unknown>([14_031, 371]);
/** Messages of write failures: of the embedded store with the codes 1 and 8, of hosted clusters with the code 8000. */
const FULL_MESSAGE = /takes no writes|could not be committed|space quota/;

const LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'SystemOverloadedError',
  'HandshakeError',
  'PoolRequestedRetry',
];

/** Errors of a lost connection, by name, since the driver does not export all of these classes. */
const AWAY_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoStalePrimaryError',
  'MongoUnexpectedServerResponseError',
]);

/**
 * Turns a transient failure of the database into an {@link UnavailableError}. Returns null for any other error, which is a
 * defect or the client's mistake and must not be hidden behind a 503.
 */
export function unavailability(error: unknown): UnavailableError | null {
  if (error instanceof UnavailableError) return error;
  const reason = error instanceof MongoError ? reasonOf(error) : isBrokenSocket(error) ? 'away' : null;
  return reason && new UnavailableError(reason, { cause: error });
}

const SOCKET_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ERR_STREAM_DESTROYED']);

/** Whether the error is one of a closed socket, which the driver passes on unchanged; that of a client has an HTTP status. */
export function isBrokenSocket(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && SOCKET_CODES.has(error.code) && !('statusCode' in error);
}

function reasonOf(error: MongoError): Reason | null {
  if (error.name === 'MongoWaitQueueTimeoutError') return 'busy';
  if (error instanceof MongoServerError && isFull(error)) return 'full';
  if (error.hasErrorLabel('UnknownTransactionCommitResult')) return 'unsure';
  if (error instanceof MongoNetworkTimeoutError || SLOW.has(error.code)) return 'slow';
  const isAway = error instanceof MongoNetworkError || AWAY_NAMES.has(error.name) || AWAY.has(error.code);
  return isAway || LABELS.some((label) => error.hasErrorLabel(label)) ? 'away' : null;
}

function isFull({ code, message }: MongoServerError): boolean {
  return FULL.has(code) || ((code === 1 || code === 8 || code === 8000) && FULL_MESSAGE.test(message));
}
