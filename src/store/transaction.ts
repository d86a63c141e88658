import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClientSession,
  MongoBulkWriteError,
  type MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import { isBrokenSocket, type Reason, UnavailableError, unavailability } from '../database-errors.ts';
import { setResponsiveTimeout } from '../lib/responsive-timeout.ts';
import type { WithKeyLock } from './key-lock.ts';

export interface TransactionOptions {
  /**
   * What the transaction is about, such as a post: those of one key take turns in this process, since the database
   * would let one pass and make all others start again. Only a hint; the database keeps them apart in any case.
   */
  key?: string | undefined;
  /** In the time of `performance.now()`. @default the store's time for one request from now */
  deadline?: number | undefined;
}

export type RunTransaction = <Result>(
  work: (session: ClientSession) => Promise<Result>,
  options?: TransactionOptions,
) => Promise<Result>;

const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 200;

interface TransactionsOptions {
  client: MongoClient;
  /** When no further attempt begins; 0: never. */
  timeoutMs: number;
  withKeyLock: WithKeyLock;
}

/**
 * As the driver's own `withTransaction`, which may go on for two minutes, but within `timeoutMs`: after a conflict or
 * a lost connection the work starts anew, a commit that nobody confirmed is sent again until it is known how it ended.
 *
 * @throws {UnavailableError} at the deadline: `busy` when the key's turn had not come, `unsure` when it was not known
 *   whether the commit was carried out
 */
export function createTransactions({ client, timeoutMs, withKeyLock }: TransactionsOptions): RunTransaction {
  return async (work, { key, deadline: given } = {}) => {
    const deadline = given ?? (timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY);
    return tellingAt(deadline, (waitFor) => {
      const run = () => attempts({ client, work, deadline, waitFor });
      if (key === undefined) return run();
      waitFor('busy');
      return withKeyLock(key, deadline, run);
    });
  };
}

/** Says what a transaction waits for from now on: what the client is told should the time end; null: nothing special. */
type WaitFor = (reason: Reason | null) => void;

/** Lets `run` go on past its deadline, for a commit cannot be called back, but tells how things stand by then. */
function tellingAt<Result>(deadline: number, run: (waitFor: WaitFor) => Promise<Result>): Promise<Result> {
  let awaited: Reason | null = null;
  const running = run((reason) => {
    awaited = reason;
  });
  if (deadline === Number.POSITIVE_INFINITY) return running;
  return new Promise((resolve, reject) => {
    const expire = () => awaited && reject(new UnavailableError(awaited));
    const cancel = setResponsiveTimeout(expire, deadline - performance.now());
    running.then(resolve, reject).finally(cancel);
  });
}

interface Attempts<Result> {
  client: MongoClient;
  work: (session: ClientSession) => Promise<Result>;
  deadline: number;
  waitFor: WaitFor;
}

async function attempts<Result>({ client, work, deadline, waitFor }: Attempts<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const session = client.startSession();
    let isCut = false;
    try {
      // What the shards of a cluster show in one transaction is of one moment.
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      waitFor(null);
      const result = await work(session);
      waitFor('unsure');
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

/**
 * Before a commit: every broken connection, since nothing has taken effect. The driver hides those of a write of many
 * records, as events are, in an error of its own kind that keeps the labels alone.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof MongoNetworkError || isBrokenSocket(error) || hasTransientLabel(error)) return true;
  return error instanceof MongoBulkWriteError && BROKEN.some((label) => error.hasErrorLabel(label));
}

const BROKEN = ['RetryableWriteError', 'PoolRequestedRetry'];

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
