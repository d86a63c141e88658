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
import type { LockKey, WithKeyLock } from './key-lock.ts';
import { collectWrites } from './write-together.ts';

export interface TransactionOptions {
  /**
   * The record that the transaction contends for, such as a post. Transactions with the same key run one after another in
   * this process; concurrently, the database would commit one and abort the others. Only an optimization: the database
   * isolates them in any case. Shared keys name records that it reads and that must not change before the commit.
   */
  key?: LockKey | undefined;
  /** In the time of `performance.now()`. @default now plus the store's timeout of one request */
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
  /** Milliseconds after which no further attempt begins; 0: no limit. */
  timeoutMs: number;
  withKeyLock: WithKeyLock;
  /**
   * Whether the server executes concurrent statements of a transaction one after another, as the embedded store does.
   * MongoDB and its driver leave their effect undefined. @default false
   */
  queuesStatements?: () => boolean;
}

/**
 * Like the driver's `withTransaction`, which may retry for two minutes, but limited to `timeoutMs`: reruns the work
 * after a conflict or a lost connection, and resends a commit until its outcome is known.
 *
 * @throws {UnavailableError} at the deadline: `busy` if the lock of the key was not acquired, `unsure` if the outcome
 *   of the commit is unknown
 */
export function createTransactions({
  client,
  timeoutMs,
  withKeyLock,
  queuesStatements = () => false,
}: TransactionsOptions): RunTransaction {
  return async (work, { key, deadline: given } = {}) => {
    const deadline = given ?? (timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY);
    return rejectAt(deadline, (waitFor) => {
      const run = () => runAttempts({ client, work, deadline, waitFor, queuesStatements });
      if (key === undefined) return run();
      waitFor('busy');
      return withKeyLock(key, deadline, run);
    });
  };
}

/** What to call after the commit of an open transaction. */
const afterCommit = new WeakMap<ClientSession, Array<() => void>>();

/** Calls `report` once, after the transaction of `session` has committed; never for an attempt that was rolled back. */
export function onCommit(session: ClientSession, report: () => void): void {
  const reports = afterCommit.get(session) ?? [];
  reports.push(report);
  afterCommit.set(session, reports);
}

/** The clients of sessions whose server queues concurrent statements of a transaction. */
const queueing = new WeakMap<ClientSession, MongoClient>();

/** Sends a statement of the transaction, or several that depend on each other. */
type Statement = () => unknown;
type ResultOf<Sent> = Sent extends () => infer Result ? Awaited<Result> : undefined;

/**
 * Executes statements of a transaction that do not depend on each other: on the embedded store in one round trip, on
 * MongoDB one after another in their order. The first statement of a transaction starts it, so it must have been
 * answered before, unless all are writes of `write-together.ts`, which leave as one command.
 *
 * @param statements what is not a function is skipped
 * @returns the results in the order of the statements
 * @throws the error of the first that failed; on the embedded store when all have settled, where an error that
 *   retrying cannot cure takes precedence
 */
export async function together<const Statements extends ReadonlyArray<Statement | false | null | undefined>>(
  session: ClientSession,
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: ResultOf<Statements[Index]> }> {
  const client = queueing.get(session);
  if (!client) {
    const results: unknown[] = [];
    for (const send of statements) results.push(send ? await send() : undefined);
    return results as never;
  }
  const sent = collectWrites(client, session, () => statements.map((send) => (send ? send() : undefined)));
  const settled = await Promise.allSettled(sent);
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  // The others report only that the transaction has ended.
  if (errors.length > 0) throw errors.find((error) => !isTransient(error)) ?? errors[0];
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}

/** Sets the reason with which the caller is rejected at the deadline; null: the caller keeps waiting. */
type WaitFor = (reason: Reason | null) => void;

/** Rejects the caller at the deadline with the reason set last. `run` continues, since a commit cannot be cancelled. */
function rejectAt<Result>(deadline: number, run: (waitFor: WaitFor) => Promise<Result>): Promise<Result> {
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
  queuesStatements: () => boolean;
}

async function runAttempts<Result>({
  client,
  work,
  deadline,
  waitFor,
  queuesStatements,
}: Attempts<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const session = client.startSession();
    if (queuesStatements()) queueing.set(session, client);
    let isDisconnected = false;
    let committed: { result: Result } | undefined;
    try {
      // All shards of a cluster read from the same snapshot.
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      waitFor(null);
      const result = await work(session);
      waitFor('unsure');
      await commit(session, deadline);
      committed = { result };
    } catch (error) {
      isDisconnected = error instanceof MongoNetworkError || isBrokenSocket(error);
      if (!isTransient(error) || performance.now() >= deadline) throw error;
    } finally {
      // Aborts the transaction on the server. Not awaited on a broken connection, where it takes long and changes
      // nothing.
      const ended = session.endSession().catch(() => undefined);
      if (!isDisconnected) await ended;
    }
    if (committed) {
      // Outside of the attempt: an error must not repeat work that has committed.
      for (const report of afterCommit.get(session) ?? []) report();
      return committed.result;
    }
    await pause(pauseBefore(attempt));
  }
}

/**
 * Resending a commit is safe: the server recognizes the transaction number. The thrown error is transient only if the
 * server labelled it so, because the work must not run again after a commit that may have taken effect.
 */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!mayHaveCommitted(error)) throw error;
      if (performance.now() >= deadline || isOutOfTime(error)) throw new UnavailableError('unsure', { cause: error });
    }
    await pause(pauseBefore(attempt));
  }
}

/**
 * Whether a failed commit may have taken effect. The driver itself sends a commit twice, so this is possible even if
 * the error says that no server was found.
 */
function mayHaveCommitted(error: unknown): boolean {
  const reason = hasTransientLabel(error) ? undefined : unavailability(error)?.reason;
  return reason !== undefined && reason !== 'full';
}

/**
 * Whether the work can run again. Before a commit this includes every broken connection, since nothing has taken
 * effect. For bulk writes, such as those of events, the driver wraps network errors in an error that keeps only their
 * labels.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof MongoNetworkError || isBrokenSocket(error) || hasTransientLabel(error)) return true;
  return error instanceof MongoBulkWriteError && BROKEN_CONNECTION_LABELS.some((label) => error.hasErrorLabel(label));
}

const BROKEN_CONNECTION_LABELS = ['RetryableWriteError', 'PoolRequestedRetry'];

function hasTransientLabel(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('TransientTransactionError');
}

/** MaxTimeMSExpired: the write concern was not satisfied in time. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 50;
}

/** Exponential backoff with jitter, so that conflicting transactions do not retry at the same time. */
function pauseBefore(attempt: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.6 ** attempt);
}
