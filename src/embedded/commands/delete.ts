import type { Document } from 'bson';
import { describe, failedToParse, isInterruption, newSlice, takeSpentSteps, toNumber } from '../lib/index.ts';
import { withLet } from '../query/index.ts';
import { LockWait } from '../storage/index.ts';
import { type Command, namespaceOf, refuseCollation } from './command.ts';
import { currentVersion, findTarget, findTargets, type Target, targetOf } from './modify.ts';
import { bulkReply, PIECE, runStatements } from './statements.ts';
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
        withLet(request.body, () => runDelete({ request, writer, ns, statement: deletes[position]!, state })),
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
  return withLet(body, () => targetOf(ns, q, { hint }));
}

/** The number of documents that MongoDB collects before it deletes them. */
const BATCH = 10;

function runDelete({ request, writer, ns, statement, state }: StatementRun): Document {
  const isOne = toNumber(statement.limit) === 1;
  if (!isOne) refuseRetry(request, 'delete');
  const target = state.compiled?.target ?? targetOf(ns, statement.q, { hint: statement.hint });
  state.compiled = { target };
  const collection = writer.view.collection(ns);
  if (!collection) return { n: state.n };
  const first = isOne ? findTarget(request, writer, target, state.search)?.recordId : undefined;
  const { found: aside } = isOne ? {} : state.search;
  if (aside) {
    if (aside.failure && isInterruption(aside.failure)) throw aside.failure;
    state.search.found = undefined;
    const { recordIds, failure } = aside;
    // If the filter fails, MongoDB keeps the documents that it has collected but not yet deleted.
    const kept = failure ? recordIds.slice(0, recordIds.length - (recordIds.length % BATCH)) : recordIds;
    if (aside.collection) state.left = { collection: aside.collection, recordIds: kept, failure, place: 0 };
  }
  const left = state.left;
  // A collection that was dropped and created again during a wait is a different one.
  if (left && left.collection !== collection) return { n: state.n };
  const { recordIds: gathered, failure } = isOne
    ? { recordIds: first === undefined ? [] : [first] }
    : (left ?? findTargets(request, writer, target, state.search));
  state.left = undefined;
  // If the filter fails, MongoDB keeps the documents that it has collected but not yet deleted.
  const recordIds = failure && !left ? gathered.slice(0, gathered.length - (gathered.length % BATCH)) : gathered;
  const isOver = newSlice();
  for (let place = left?.place ?? 0; place < recordIds.length; place++) {
    const recordId = recordIds[place]!;
    takeSpentSteps();
    const before = currentVersion(collection, recordId, writer);
    if (!before || (left && !target.filter.matches(before.document))) continue;
    writer.write({ collection, recordId, before, after: undefined });
    state.n++;
    state.hasWritten = true;
    if ((state.n % PIECE === 0 || isOver()) && place + 1 < recordIds.length) {
      state.left = { collection, recordIds, failure, place: place + 1 };
      throw new LockWait();
    }
  }
  if (failure) throw failure;
  return { n: state.n };
}
