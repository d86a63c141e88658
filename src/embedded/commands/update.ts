import type { Document } from 'bson';
import {
  type Command,
  documentsOption,
  ensureCollection,
  flagOption,
  missing,
  namespaceOf,
  type Request,
  refuseCollation,
  refuseUnknown,
} from '../command.ts';
import { decode } from '../executor.ts';
import { failedToParse } from '../language/errors.ts';
import { isDocument } from '../language/values.ts';
import { currentVersion, findTarget, findTargets, targetOf, updateOf, updateRecord, upsertRecord } from '../modify.ts';
import { checkBatchSize, runStatements, type StatementState } from '../statements.ts';
import type { Writer } from '../view.ts';

const FIELDS: StatementFields = {
  required: ['q', 'u'],
  optional: ['multi', 'upsert', 'arrayFilters', 'hint', 'collation'],
};

export const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  async run(request) {
    const ns = namespaceOf(request);
    refuseCollation(request.body);
    const updates = statementsOf(request, 'updates', FIELDS);
    if (updates.some(({ u }) => !isDocument(u) && !Array.isArray(u))) {
      throw failedToParse('Update argument must be either an object or an array');
    }
    if (updates.some((statement) => flagOption(statement, 'upsert'))) await ensureCollection(request, ns);
    const { results, writeErrors } = await runStatements(request, {
      count: updates.length,
      isOrdered: request.body.ordered !== false,
      run: (writer, position, state) => runUpdate({ request, writer, ns, statement: updates[position]!, state }),
    });
    const upserted = results.flatMap((result, index) =>
      result && 'upserted' in result ? [{ index, _id: result.upserted }] : [],
    );
    return {
      n: sum(results, 'n'),
      ...(upserted.length > 0 && { upserted }),
      ...(writeErrors.length > 0 && { writeErrors }),
      nModified: sum(results, 'nModified'),
      ok: 1,
    };
  },
};

export interface StatementRun {
  request: Request;
  writer: Writer;
  ns: string;
  statement: Document;
  state: StatementState;
}

function runUpdate({ request, writer, ns, statement, state }: StatementRun): Document {
  const target = targetOf(ns, statement.q, { hint: statement.hint });
  const change = updateOf(statement.u, statement.arrayFilters);
  const isMulti = flagOption(statement, 'multi');
  if (isMulti && change.kind === 'replacement') {
    throw failedToParse('multi update is not supported for replacement-style update');
  }
  const collection = request.engine.catalog.get(ns);
  const first = isMulti ? undefined : findTarget(request, writer, target);
  const recordIds = isMulti ? findTargets(request, writer, target) : first ? [first.recordId] : [];
  for (const recordId of recordIds) {
    const before = first
      ? { bytes: first.bytes, document: decode(first.bytes) }
      : currentVersion(collection!, recordId, writer);
    if (!before || state.done.has(recordId)) continue;
    const after = updateRecord(writer, {
      collection: collection!,
      recordId,
      before,
      update: change,
      filter: target.filter,
    });
    state.done.add(recordId);
    state.n++;
    if (after !== before) state.nModified++;
  }
  if (state.n > 0 || !flagOption(statement, 'upsert')) return { n: state.n, nModified: state.nModified };
  const inserted = upsertRecord(request, writer, target, change);
  return { n: 1, nModified: 0, upserted: inserted.document._id };
}

export interface StatementFields {
  required: readonly string[];
  optional: readonly string[];
}

/** The statements of a bulk write, wherever the driver put them. */
export function statementsOf({ body, sequences }: Request, name: string, fields: StatementFields): Document[] {
  const statements: Document[] = sequences.get(name)?.map(decode) ?? documentsOption(body, name);
  checkBatchSize(statements.length);
  for (const statement of statements) {
    refuseUnknown(`a statement of '${name}'`, statement, [...fields.required, ...fields.optional]);
    for (const field of fields.required) if (!(field in statement)) throw missing(`${name}.${field}`);
    refuseCollation(statement);
  }
  return statements;
}

export const sum = (results: readonly (Document | undefined)[], name: string): number =>
  results.reduce((total, result) => total + Number(result?.[name] ?? 0), 0);
