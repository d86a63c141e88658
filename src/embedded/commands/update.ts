import type { Document } from 'bson';
import { CommandError, failedToParse, isDocument, isInterruption, newSlice, takeSpentSteps } from '../lib/index.ts';
import {
  assertUpsertable,
  type CompileContext,
  commandContext,
  decode,
  isTimeUp,
  yieldToEventLoop,
} from '../query/index.ts';
import { LockWait, type Writer } from '../storage/index.ts';
import { decodeCommand } from '../wire/index.ts';
import {
  type Command,
  documentsOption,
  flagOption,
  missing,
  namespaceOf,
  pausingProgressOf,
  type Request,
  refuseCollation,
  refuseUnknown,
} from './command.ts';
import {
  currentVersion,
  findTarget,
  findTargets,
  type Target,
  targetOf,
  updateOf,
  updateRecord,
  upsertRecord,
} from './modify.ts';
import { checkStatementTypes } from './option-types.ts';
import { bulkReply, checkBatchSize, MAX_STEP_RECORDS, runStatements, type StatementState, sum } from './statements.ts';

const FIELDS: StatementFields = {
  required: ['q', 'u'],
  optional: ['multi', 'upsert', 'arrayFilters', 'hint', 'collation'],
};

export const update: Command = {
  isWrite: true,
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const ns = namespaceOf(request);
    refuseCollation(request.body);
    const updates = await statementsOf(request, 'updates', FIELDS, ({ u }) =>
      checkShape(u, commandContext(request.body)),
    );
    const outcome = await runStatements(request, {
      count: updates.length,
      isOrdered: request.body.ordered !== false,
      run: (writer, position, state) =>
        runUpdate({
          request,
          writer,
          ns,
          statement: updates[position]!,
          state,
          context: commandContext(request.body),
        }),
    });
    const upserted = outcome.results.flatMap((result, index) =>
      result && 'upserted' in result ? [{ index, _id: result.upserted }] : [],
    );
    return bulkReply(outcome, {
      ...(upserted.length > 0 && { upserted }),
      nModified: sum(outcome.results, 'nModified'),
    });
  },
};

/** The target of an explained `update`. */
export function targetOfUpdate(body: Document, ns: string): Target {
  const { u, q, arrayFilters, hint } = onlyStatementOf(body, 'updates', FIELDS);
  const context = commandContext(body);
  checkShape(u, context);
  updateOf(u, arrayFilters, context);
  return targetOf(ns, q, { context, hint });
}

/** The statement of an explained write. @throws CommandError 16 if there are several */
export function onlyStatementOf(body: Document, name: StatementName, fields: StatementFields): Document {
  const [statement, ...others] = documentsOption(body, name);
  if (!statement || others.length > 0) throw new CommandError(16, 'explained write batches must be of size 1');
  checkFields(name, statement, fields);
  return statement;
}

/** An update pipeline with values that are not stages fails the whole command; other errors fail their statement. */
const MALFORMED_STAGE = new Set([14, 40323, 40324]);

export function checkShape(update: unknown, context: CompileContext): void {
  if (Array.isArray(update)) {
    try {
      updateOf(update, undefined, context);
    } catch (error) {
      if (error instanceof CommandError && MALFORMED_STAGE.has(error.code)) throw error;
    }
  } else if (!isDocument(update)) {
    throw failedToParse('Update argument must be either an object or an array');
  }
}

export interface StatementRun {
  request: Request;
  writer: Writer;
  ns: string;
  statement: Document;
  state: StatementState;
  context: CompileContext;
}

/** Bytes changed in one commit, which holds both versions of each record in memory. */
const MAX_STEP_BYTES = 16 * 1024 * 1024;

export function runUpdate({ request, writer, ns, statement, state, context }: StatementRun): Document {
  const isMulti = flagOption(statement, 'multi');
  if (isMulti) refuseRetry(request, 'update');
  const change = state.compiled?.update ?? updateOf(statement.u, statement.arrayFilters, context);
  if (isMulti && change.kind === 'replacement') {
    throw failedToParse('multi update is not supported for replacement-style update');
  }
  const target = state.compiled?.target ?? targetOf(ns, statement.q, { context, hint: statement.hint });
  state.compiled = { target, update: change };
  if (flagOption(statement, 'upsert')) assertUpsertable(target.filter);
  const collection = writer.view.collection(ns);
  const { found: paused } = isMulti ? state.search : {};
  if (paused) {
    if (paused.failure && isInterruption(paused.failure)) throw paused.failure;
    state.search.found = undefined;
    if (paused.collection) state.remaining = { ...paused, collection: paused.collection, position: 0 };
  }
  const remaining = state.remaining;
  // A collection that was dropped and created again during a wait is a different one.
  if (remaining && remaining.collection !== collection) return { n: state.n, nModified: state.nModified };
  const first = isMulti ? undefined : findTarget(request, writer, target, state.search);
  const found = isMulti
    ? (remaining ?? findTargets(request, writer, target, state.search))
    : { recordIds: first ? [first.recordId] : [] };
  let [stepRecords, bytes] = [0, 0];
  const isOver = newSlice();
  for (let position = remaining?.position ?? 0; position < found.recordIds.length; position++) {
    const recordId = found.recordIds[position]!;
    if (state.done.has(recordId)) continue;
    if (stepRecords > 0 && (stepRecords === MAX_STEP_RECORDS || bytes > MAX_STEP_BYTES || isOver())) {
      state.remaining = { ...found, collection: collection!, position };
      throw new LockWait();
    }
    takeSpentSteps();
    const before = first
      ? { bytes: first.bytes, document: decode(first.bytes) }
      : currentVersion(collection!, recordId, writer);
    if (!before || (remaining && !target.filter.matches(before.document))) continue;
    const after = updateRecord(writer, {
      collection: collection!,
      recordId,
      before,
      update: change,
      filter: target.filter,
    });
    state.done.add(recordId);
    state.n++;
    stepRecords++;
    bytes += after.bytes.length;
    if (after !== before) state.nModified++;
    state.hasWritten ||= after.bytes !== before.bytes;
  }
  if (found.failure) throw found.failure;
  if (state.n > 0 || !flagOption(statement, 'upsert')) return { n: state.n, nModified: state.nModified };
  const inserted = upsertRecord(writer, target, change);
  state.hasWritten = true;
  return { n: 1, nModified: 0, upserted: inserted.document._id };
}

/** A multi-document statement cannot be retried safely. */
export function refuseRetry({ txnNumber, transaction }: Request, what: string): void {
  if (txnNumber !== undefined && !transaction) {
    throw new CommandError(72, `Cannot use (or request) retryable writes with multi-document ${what}s`);
  }
}

export interface StatementFields {
  required: readonly string[];
  optional: readonly string[];
}

type StatementName = 'updates' | 'deletes';

function checkFields(name: StatementName, statement: Document, { required, optional }: StatementFields): void {
  refuseUnknown(`a statement of '${name}'`, statement, [...required, ...optional]);
  checkStatementTypes(name, statement);
  for (const field of required) if (!(field in statement)) throw missing(`${name}.${field}`);
  refuseCollation(statement);
}

/**
 * The statements of a bulk write, from its body or a document sequence; `check` validates each. Pauses between them.
 */
export async function statementsOf(
  request: Request,
  name: StatementName,
  fields: StatementFields,
  check: (statement: Document) => void,
): Promise<Document[]> {
  const { body, sequences } = request;
  const sent: readonly (Uint8Array | Document)[] = sequences.get(name) ?? documentsOption(body, name);
  checkBatchSize(sent.length);
  const progress = pausingProgressOf(request);
  const statements: Document[] = [];
  for (const one of sent) {
    const statement = one instanceof Uint8Array ? decodeCommand(one) : one;
    checkFields(name, statement, fields);
    check(statement);
    statements.push(statement);
    if (statements.length < sent.length && isTimeUp(progress, 1)) await yieldToEventLoop(progress);
  }
  return statements;
}
