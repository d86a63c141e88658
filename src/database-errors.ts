import { MongoError, MongoNetworkError, MongoNetworkTimeoutError, MongoServerError } from 'mongodb';

/** What a client is told, in `Retry-After` and for its own patience. */
export const RETRY_AFTER_SECONDS = 2;

const MESSAGES = {
  away: 'The database does not answer right now.',
  slow: 'The database took too long to answer.',
  busy: 'Too many requests wait for the database.',
  full: 'The database takes no writes right now: its disk is full, or it is read-only.',
  unsure: 'The database did not say whether the change was made: look before repeating it.',
  starting: 'The database has not been reached yet.',
} as const;

export type Reason = keyof typeof MESSAGES;

/**
 * The database cannot serve this request now, a later one it may: REST answers 503 with `Retry-After`, GraphQL an error
 * with the code UNAVAILABLE. Not an OperationError: it is never a member of a mutation's result.
 */
export class UnavailableError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, options?: { cause?: unknown }) {
    super(MESSAGES[reason], options);
    this.name = 'UnavailableError';
    this.reason = reason;
  }
}

/** What {@link unavailability} does, and notes what it finds for the log and for `/readyz`. */
export type Explain = (error: unknown) => UnavailableError | null;

/** Answers of a server that is being restarted, replaced as primary, or not reached by its router. */
const AWAY = new Set<unknown>([
  6, 7, 89, 91, 133, 134, 189, 234, 246, 365, 9001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_388, 13_435, 13_436,
  // A cursor or transaction that the server has forgotten, most often in a restart.
  43, 237, 251, 290,
  // A password that was changed while the gateway ran.
  18,
]);
/** Time limits of commands, locks and write concerns, and conflicts that outlasted every repetition. */
const SLOW = new Set<unknown>([24, 50, 64, 100, 112, 262]);
/** OutOfDiskSpace, UserWritesBlocked. */
const FULL = new Set<unknown>([14_031, 371]);
/** What the embedded store answers under the codes 1 and 8, and a hosted cluster under 8000, when it cannot write. */
const FULL_MESSAGE = /takes no writes|could not be committed|space quota/;

const LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'SystemOverloadedError',
  'HandshakeError',
  'PoolRequestedRetry',
];

/** By name, for the driver does not hand out all of these classes. */
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
 * What a failure of the database means for a request: an {@link UnavailableError} when it passes by itself, null for
 * anything else, which is a mistake of ours or of the client and must not be hidden behind a 503.
 */
export function unavailability(error: unknown): UnavailableError | null {
  if (error instanceof UnavailableError) return error;
  const reason = error instanceof MongoError ? reasonOf(error) : isBrokenSocket(error) ? 'away' : null;
  return reason && new UnavailableError(reason, { cause: error });
}

const SOCKET_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ERR_STREAM_DESTROYED']);

/** The driver hands on as it is what a socket says that was closed just before a command was written to it. */
export function isBrokenSocket(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && SOCKET_CODES.has(error.code);
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
