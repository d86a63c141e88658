import { type Document, Long, type Timestamp } from 'bson';
import type { Engine } from '../engine.ts';
import {
  assertInTime,
  badValue,
  CommandError,
  isDocument,
  isNumber,
  isTruthy,
  newSlice,
  notSupported,
  pause,
  toNumber,
  typeMismatch,
  typeOf,
} from '../lib/index.ts';
import { newProgress, type Progress } from '../query/index.ts';
import {
  checkNamespace,
  LockWait,
  noSuchTransaction,
  openStatementHistory,
  type Snapshot,
  type StatementHistory,
  type Transaction,
  type View,
  type Writer,
} from '../storage/index.ts';
import type { Connection, Reply } from '../wire/index.ts';
import type { ReadConcern, ReadConcernLevel } from './read-concern.ts';

/** A received command with its context. */
export interface Request {
  engine: Engine;
  connectionId: number;
  connection: Connection;
  db: string;
  name: string;
  body: Document;
  /** The document sequences, with undecoded documents. */
  sequences: ReadonlyMap<string, Buffer[]>;
  sessionId: string | undefined;
  /** Set for a retryable write and within a transaction. */
  txnNumber: bigint | undefined;
  transaction: Transaction | undefined;
  readConcern: ReadConcern;
  /** The snapshot for the read concern `snapshot` outside of a transaction. */
  snapshot: Snapshot | undefined;
  /** Whether the reply must contain only data that is on disk. */
  readsDurable: boolean;
  /** The Stable API parameters, as text. */
  api: string;
  /** Set by a command that knows the time of the data in its reply. */
  operationTime?: Timestamp;
  deadline: number | undefined;
}

export interface Command {
  /** Supported options; any other is refused by name. */
  options: readonly string[];
  isAllowedInTransaction?: boolean;
  /** Whether it may only run against the database `admin`. */
  isAdminOnly?: boolean;
  /** Supported read concern levels; only `local` by default. */
  readConcernLevels?: readonly ReadConcernLevel[];
  /** Whether it accepts a `writeConcern`. */
  isWrite?: boolean;
  /** Whether it creates collections or indexes. */
  isDefinition?: boolean;
  /** Whether it may have a transaction number outside of a transaction. */
  isRetryable?: boolean;
  run(request: Request): Reply | Promise<Reply>;
}

/** The namespace of the collection that the first value of a command names. */
export function namespaceOf({ db, name, body }: Request): string {
  const collection = body[name];
  if (typeof collection !== 'string') throw badValue(`collection name has invalid type ${typeOf(collection)}`);
  const ns = `${db}.${collection}`;
  checkNamespace(ns);
  return ns;
}

export const viewOf = ({ engine, transaction, snapshot }: Request): View =>
  (transaction ?? snapshot ?? engine.transactions.direct).view;

export const progressOf = ({ deadline }: Request): Progress => newProgress(deadline);

/** The progress of work that can pause. */
export const pausingProgressOf = (request: Request): Progress => ({
  ...progressOf(request),
  isOver: newSlice(),
  assertWanted: () => assertOpen(request),
});

/** The progress of a read that can pause and ends with error 279 when its client disconnects. */
export const readerProgressOf = (request: Request): Progress => ({
  ...pausingProgressOf(request),
  assertWanted() {
    assertOpen(request);
    assertConnected(request.connection);
  },
});

export function assertConnected({ isClosed }: Connection): void {
  if (isClosed) throw new CommandError(279, 'operation was interrupted because a client disconnected');
}

/** Called after a pause. @throws CommandError 251 if the transaction of the command has ended */
function assertOpen({ transaction, txnNumber }: Request): void {
  if (transaction && !transaction.isOpen) throw noSuchTransaction(txnNumber!);
}

/**
 * Executes a write: immediately in its transaction, else in the next commit, resolving when that is on disk. After a
 * lock wait `work` is called again, so it must keep its progress outside.
 */
export function perform<Result>(
  request: Request,
  work: (writer: Writer, memory: StatementHistory | undefined) => Result,
): Result | Promise<Result> {
  const { engine, transaction, sessionId, txnNumber } = request;
  if (transaction) return performInTransaction(request, () => work(transaction, undefined));
  return engine.queue.run(() => {
    const memory =
      sessionId !== undefined && txnNumber !== undefined
        ? openStatementHistory(engine.storage, sessionId, txnNumber)
        : undefined;
    try {
      return work(engine.transactions.direct, memory);
    } finally {
      memory?.save();
    }
  }, request.deadline);
}

async function performInTransaction<Result>(request: Request, work: () => Result): Promise<Result> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LockWait)) throw error;
      await (error.until ?? pause());
      assertOpen(request);
      assertInTime(request.deadline);
    }
  }
}

/** An optional document of a command, with MongoDB's error for another type. */
export function documentOption(body: Document, name: string): Document | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value)) throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'object'`);
  return value;
}

export function countOption(body: Document, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) throw typeMismatch(`BSON field '${name}' is the wrong type, expected a number`);
  const number = Math.trunc(toNumber(value));
  if (number < 0) throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
  return number;
}

export const missing = (name: string): CommandError =>
  new CommandError(40414, `BSON field '${name}' is missing but a required field`);

export function textOption(body: Document, name: string): string {
  const value = body[name];
  if (value === undefined) throw missing(name);
  if (typeof value === 'string') return value;
  throw typeMismatch(`BSON field '${name}' is the wrong type '${typeOf(value)}', expected type 'string'`);
}

export const flagOption = (body: Document, name: string): boolean => isTruthy(body[name]);

export function arrayOption(body: Document, name: string): unknown[] {
  const value = body[name];
  if (value === undefined) throw missing(name);
  if (!Array.isArray(value)) throw typeMismatch(`BSON field '${name}' is the wrong type, expected type 'array'`);
  return value;
}

export function documentsOption(body: Document, name: string): Document[] {
  const values = arrayOption(body, name);
  if (!values.every(isDocument)) throw typeMismatch(`BSON field '${name}' must hold objects`);
  return values as Document[];
}

/** Strings compare by their bytes; any other collation is refused. */
export function refuseCollation(body: Document): void {
  if (isDocument(body.collation) && Object.keys(body.collation).length > 0 && body.collation.locale !== 'simple') {
    throw notSupported('collation');
  }
}

/** Refuses `let`, which this store does not support for change streams. */
export function refuseLet({ let: given }: Document): void {
  if (isDocument(given) && Object.keys(given).length > 0) throw notSupported('let');
}

export const unknownOption = (name: string, what: string): CommandError =>
  notSupported(`option '${name}' of ${what}`, 40415);

/** Refuses fields with unknown names. */
export function refuseUnknown(what: string, body: Document, known: readonly string[]): void {
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) throw unknownOption(name, what);
  }
}

export function longOption(value: unknown, name: string): bigint {
  if (Long.isLong(value)) return value.toBigInt();
  throw typeMismatch(`BSON field '${name}' is the wrong type '${typeOf(value)}', expected type 'long'`);
}
