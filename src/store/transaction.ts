import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSession, type MongoClient, MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { isBrokenSocket, UnavailableError, unavailability } from '../unavailable.ts';
import { createTurns } from './turns.ts';

export interface TransactionOptions {
  /**
   * What the transaction is about, such as a post: those of one key take turns in this process, since the database
   * would let one pass and make all others start again. Only a hint; the database keeps them apart in any case.
   */
  key?: string | undefined;
}

export type RunTransaction = <Result>(
  work: (session: ClientSession) => Promise<Result>,
  options?: TransactionOptions,
) => Promise<Result>;

const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 200;

/**
 * As the driver's own `withTransaction`, which may go on for two minutes, but within `timeoutMs`: after a conflict or
 * a lost connection the work starts anew, a commit that nobody confirmed is sent again until it is known how it ended.
 *
 * @param timeoutMs when no further attempt begins; 0: never
 * @throws {UnavailableError} `unsure` when it did not become known, `busy` when the key's turn did not come in time
 */
export function createTransactions(client: MongoClient, timeoutMs: number): RunTransaction {
  const takeTurn = createTurns();

  return async (work, { key } = {}) => {
    const deadline = timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY;
    const run = () => attempts(client, work, deadline);
    return key === undefined ? run() : takeTurn(key, deadline, run);
  };
}

async function attempts<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
  deadline: number,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const session = client.startSession();
    let isCut = false;
    try {
      // What the shards of a cluster show in one transaction is of one moment.
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      const result = await work(session);
      await commit(session, deadline);
      return result;
    } catch (error) {
      isCut = error instanceof MongoNetworkError || isBrokenSocket(error);
      if (!isTransient(error) || performance.now() >= deadline) throw error;
    } finally {
      // Ends the transaction on the server. Where nobody listens that takes long, and its end changes nothing here.
      const ended = session.endSession().catch(() => undefined);
      if (!isCut) await ended;
    }
    await pause(pauseBefore(attempt));
  }
}

/**
 * Sent again, a commit is carried out once: the server remembers the transaction's number. What it throws is never
 * transient unless the server has said so, for the work must not be done anew after a commit that may have taken effect.
 */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!mayBeDone(error)) throw error;
      if (performance.now() >= deadline || isOutOfTime(error)) throw new UnavailableError('unsure', { cause: error });
    }
    await pause(pauseBefore(attempt));
  }
}

/** After a commit: the driver sends it twice by itself, so that also a server it did not find may have carried it out. */
function mayBeDone(error: unknown): boolean {
  const reason = hasTransientLabel(error) ? undefined : unavailability(error)?.reason;
  return reason !== undefined && reason !== 'full';
}

/** Before a commit: every broken connection, since nothing has taken effect. */
function isTransient(error: unknown): boolean {
  return error instanceof MongoNetworkError || isBrokenSocket(error) || hasTransientLabel(error);
}

function hasTransientLabel(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('TransientTransactionError');
}

/** MaxTimeMSExpired: the write concern took longer than it was given. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 50;
}

/** Grows, and differs from one to the next, so that those who collided do not meet again. */
function pauseBefore(attempt: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.6 ** attempt);
}
