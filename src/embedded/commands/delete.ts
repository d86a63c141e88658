import type { Document } from 'bson';
import { describe, failedToParse, isInterruption, newSlice, takeSpentSteps, toNumber } from '../lib/index.ts';
import { commandContext } from '../query/index.ts';
import { LockWait } from '../storage/index.ts';
import { type Command, namespaceOf, refuseCollation } from './command.ts';
import { currentVersion, findTarget, findTargets, type Target, targetOf } from './modify.ts';
import { bulkReply, MAX_STEP_RECORDS, runStatements } from './statements.ts';
import { onlyStatementOf, refuseRetry, type StatementFields, type StatementRun, statementsOf } from './update.ts';

const FIELDS: StatementFields = { required: ['q', 'limit'], optional: ['hint', 'collation'] };

export const remove: Command = {
  isWrite: true,
  options: ['deletes', 'ordered', 'let', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const ns = namespaceOf(request);
    refuseCollation(request.body);
    const deletes = await statementsOf(request, 'deletes', FIELDS, checkLimit);
    const outcome = await runStatements(request, {
      count: deletes.length,
      isOrdered: request.body.ordered !== false,
      run: (writer, position, state) =>
        runDelete({
          request,
          writer,
          ns,
          statement: deletes[position]!,
          state,
          context: commandContext(request.body),
        }),
    });
    return bulkReply(outcome);
  },
};

function checkLimit({ limit }: Document): void {
  if ([0, 1].includes(toNumber(limit))) return;
  throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${describe(limit)}`);
}

/** The target of an explained `delete`. */
export function targetOfDelete(body: Document, ns: string): Target {
  const { q, hint, limit } = onlyStatementOf(body, 'deletes', FIELDS);
  checkLimit({ limit });
  return targetOf(ns, q, { context: commandContext(body), hint });
}

/** The number of documents that MongoDB collects before it deletes them. */
const BATCH = 10;

export function runDelete({ request, writer, ns, statement, state, context }: StatementRun): Document {
  const isOne = toNumber(statement.limit) === 1;
  if (!isOne) refuseRetry(request, 'delete');
  const target = state.compiled?.target ?? targetOf(ns, statement.q, { context, hint: statement.hint });
  state.compiled = { target };
  const collection = writer.view.collection(ns);
  if (!collection) return { n: state.n };
  const first = isOne ? findTarget(request, writer, target, state.search)?.recordId : undefined;
  const { found: paused } = isOne ? {} : state.search;
  if (paused) {
    if (paused.failure && isInterruption(paused.failure)) throw paused.failure;
    state.search.found = undefined;
    const { recordIds, failure } = paused;
    // If the filter fails, MongoDB keeps the documents that it has collected but not yet deleted.
    const kept = failure ? recordIds.slice(0, recordIds.length - (recordIds.length % BATCH)) : recordIds;
    if (paused.collection) state.remaining = { collection: paused.collection, recordIds: kept, failure, position: 0 };
  }
  const remaining = state.remaining;
  // A collection that was dropped and created again during a wait is a different one.
  if (remaining && remaining.collection !== collection) return { n: state.n };
  const { recordIds: collected, failure } = isOne
    ? { recordIds: first === undefined ? [] : [first] }
    : (remaining ?? findTargets(request, writer, target, state.search));
  state.remaining = undefined;
  // If the filter fails, MongoDB keeps the documents that it has collected but not yet deleted.
  const recordIds =
    failure && !remaining ? collected.slice(0, collected.length - (collected.length % BATCH)) : collected;
  const isOver = newSlice();
  for (let position = remaining?.position ?? 0; position < recordIds.length; position++) {
    const recordId = recordIds[position]!;
    takeSpentSteps();
    const before = currentVersion(collection, recordId, writer);
    if (!before || (remaining && !target.filter.matches(before.document))) continue;
    writer.write({ collection, recordId, before, after: undefined });
    state.n++;
    state.hasWritten = true;
    if ((state.n % MAX_STEP_RECORDS === 0 || isOver()) && position + 1 < recordIds.length) {
      state.remaining = { collection, recordIds, failure, position: position + 1 };
      throw new LockWait();
    }
  }
  if (failure) throw failure;
  return { n: state.n };
}
