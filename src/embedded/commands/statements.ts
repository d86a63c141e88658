import type { Document } from 'bson';
import { CommandError, isInterruption, newSlice, takeSpentSteps, toNumber, type Update } from '../lib/index.ts';
import { type Collection, LockWait, OUT_OF_SPACE, type StatementHistory, type Writer } from '../storage/index.ts';
import { countOption, perform, type Request } from './command.ts';
import type { Search, Target, Targets } from './modify.ts';

/** The progress of a statement, kept while it waits for a lock. */
export interface StatementState {
  /** Records that were already changed and must not be changed again. */
  done: Set<number>;
  n: number;
  nModified: number;
  /** Whether it wrote anything; as in MongoDB, a retry executes a statement without writes again. */
  hasWritten: boolean;
  /** The targets of a suspended statement, and the position at which it continues. */
  remaining?: (Targets & { collection: Collection; position: number }) | undefined;
  search: Search;
  compiled?: { target: Target; update?: Update };
}

/**
 * The records of one statement that change in one commit; other writes run in between. LMDB also processes the pages
 * freed by a commit without interruption, and each later commit pays for those that are still unused.
 */
export const MAX_STEP_RECORDS = 256;
/** How long statements of one command run in one commit, in milliseconds; other writes run in between. */
const MAX_STEP_MS = 5;

export interface Statements {
  count: number;
  isOrdered: boolean;
  run(writer: Writer, position: number, state: StatementState): Document;
}

export interface Outcome {
  /** Results by position; undefined if the statement failed or was not reached. */
  results: (Document | undefined)[];
  writeErrors: Document[];
  /** Ids of the statements whose results were stored by an earlier attempt. */
  retried: number[];
}

/** The progress of a bulk write. */
interface Reached {
  position: number;
  /** The state of the current statement. */
  n: number;
  nModified: number;
  retried: number;
  /** The storage version, which increases with each commit. */
  version: number;
}

/**
 * Runs the statements of a bulk write in order, each one atomic per document. An error ends an ordered bulk write and a
 * transaction. For a retried statement the stored result is returned.
 */
export async function runStatements(request: Request, { count, isOrdered, run }: Statements): Promise<Outcome> {
  const statementId = statementIds(request.body);
  const outcome: Outcome = { results: [], writeErrors: [], retried: [] };
  let position = 0;
  let state = newState();
  const { storage, queue } = request.engine;
  const reached = (): Reached => ({
    ...{ position, n: state.n, nModified: state.nModified },
    ...{ retried: outcome.retried.length, version: storage.version },
  });
  let begun = reached();
  const work = (writer: Writer, memory: StatementHistory | undefined): void => {
    begun = reached();
    const isOver = newSlice(MAX_STEP_MS);
    const first = position;
    for (; position < count; position++, state = newState()) {
      takeSpentSteps();
      if (position > first && isOver()) throw new LockWait();
      try {
        const id = statementId(position);
        const known = memory?.recall(id);
        if (known) outcome.retried.push(id);
        const result = known ?? run(writer, position, state);
        outcome.results[position] = result;
        if (!known && state.hasWritten) memory?.remember(id, result);
      } catch (error) {
        if (error instanceof LockWait || !(error instanceof CommandError) || error.code === 112) throw error;
        if (isInterruption(error)) throw error;
        outcome.writeErrors.push(writeError(position, error));
        if (isOrdered || request.transaction) position = count;
      }
    }
  };
  try {
    await perform(request, work);
  } catch (error) {
    // Either the last part was not committed, or it was and the next part was refused without an attempt.
    const committed = storage.version > begun.version ? reached() : begun;
    const hasWritten = committed.position > 0 || committed.n > 0;
    if (!hasWritten || !(error instanceof CommandError) || error.code !== OUT_OF_SPACE) throw error;
    await queue.durable();
    return outcomeOnFullDisk(error, outcome, committed, isOrdered ? committed.position + 1 : count);
  }
  if (request.transaction && outcome.writeErrors.length > 0) request.engine.transactions.abort(request.transaction);
  return outcome;
}

/**
 * The outcome if the disk is full: the results committed before, and an error for each further statement up to `end`.
 * In an unordered bulk write the driver considers a statement without an error successful.
 */
function outcomeOnFullDisk(
  error: CommandError,
  { results, writeErrors, retried }: Outcome,
  { position, n, nModified, ...committed }: Reached,
  end: number,
): Outcome {
  const message = error.message.replace('nothing was written', 'not everything was written');
  const full = new CommandError(error.code, message);
  return {
    results: [...results.slice(0, position), ...(n > 0 ? [{ n, nModified }] : [])],
    writeErrors: [
      ...writeErrors.filter(({ index }) => index < position),
      writeError(position, full),
      ...Array.from({ length: end - position - 1 }, (_, i) => ({
        index: position + 1 + i,
        code: full.code,
        errmsg: '',
      })),
    ],
    retried: retried.slice(0, committed.retried),
  };
}

/** Builds the reply of a bulk write, with its fields in MongoDB's order. */
export function bulkReply({ results, writeErrors, retried }: Outcome, more: Document = {}): Document {
  const { upserted, ...rest } = more;
  return {
    n: sum(results, 'n'),
    ...(writeErrors.length > 0 && { writeErrors }),
    ...(retried.length > 0 && { retriedStmtIds: retried }),
    ...(upserted && { upserted }),
    ...rest,
  };
}

export const sum = (results: Outcome['results'], name: string): number =>
  results.reduce((total, result) => total + Number(result?.[name] ?? 0), 0);

const MAX_BATCH = 100_000;

export function checkBatchSize(count: number): void {
  if (count >= 1 && count <= MAX_BATCH) return;
  throw new CommandError(16, `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${count} operations.`);
}

const newState = (): StatementState => ({ done: new Set(), n: 0, nModified: 0, hasWritten: false, search: {} });

function statementIds(body: Document): (position: number) => number {
  const ids = body.stmtIds;
  if (Array.isArray(ids)) return (position) => toNumber(ids[position]);
  const first = countOption(body, 'stmtId') ?? 0;
  return (position) => first + position;
}

const writeError = (index: number, error: CommandError): Document => ({
  index,
  code: error.code,
  errmsg: error.message,
  ...error.details,
});
