import { type Document, Long } from 'bson';
import {
  badValue,
  CommandError,
  documentOf,
  EMBEDDED_DOCUMENT,
  elementsOf,
  isDocument,
  isNumber,
  toNumber,
  typeMismatch,
  typeOf,
} from '../lib/index.ts';
import { commandContext, isTimeUp, yieldToEventLoop } from '../query/index.ts';
import { checkNamespace, type Writer } from '../storage/index.ts';
import { decodeCommand } from '../wire/index.ts';
import {
  arrayOption,
  type Command,
  flagOption,
  missing,
  pausingProgressOf,
  type Request,
  refuseCollation,
  refuseUnknown,
  unknownOption,
} from './command.ts';
import { runDelete } from './delete.ts';
import { createInserts } from './insert.ts';
import { checkStatementTypes } from './option-types.ts';
import { checkBatchSize, type Outcome, runStatements, type StatementState } from './statements.ts';
import { checkShape, runUpdate } from './update.ts';

type Kind = 'insert' | 'update' | 'delete';
interface Operation {
  kind: Kind;
  run(writer: Writer, position: number, state: StatementState): Document;
}

/** The fields of an operation besides its kind, whose value is the position of its namespace. */
const FIELDS: Readonly<Record<Kind, { required: readonly string[]; optional: readonly string[] }>> = {
  insert: { required: ['document'], optional: [] },
  update: {
    required: ['filter', 'updateMods'],
    optional: ['multi', 'upsert', 'arrayFilters', 'hint', 'collation'],
  },
  delete: { required: ['filter'], optional: ['multi', 'hint', 'collation'] },
};
const KINDS = Object.keys(FIELDS) as Kind[];

/**
 * Writes to several collections, as in MongoDB 8.0. All results are in the first batch of the reply's cursor, which is
 * already closed.
 */
export const bulkWrite: Command = {
  isWrite: true,
  isAdminOnly: true,
  options: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'bypassDocumentValidation', 'let', 'cursor', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const { body } = request;
    const operations = await operationsOf(request);
    const outcome = await runStatements(request, {
      count: operations.length,
      isOrdered: body.ordered !== false,
      run: (writer, position, state) => operations[position]!.run(writer, position, state),
    });
    return replyOf(operations, outcome, { isErrorsOnly: flagOption(body, 'errorsOnly') });
  },
};

async function operationsOf(request: Request): Promise<Operation[]> {
  const namespaces = namespacesOf(request);
  const sent = sentOperations(request);
  checkBatchSize(sent.length);
  const insertOne = createInserts(request.engine.storage);
  const progress = pausingProgressOf(request);
  const operations: Operation[] = [];
  for (const one of sent) {
    const { fields, document } = parse(one);
    const kind = KINDS.find((name) => name in fields);
    if (!kind) throw badValue(`an operation of 'bulkWrite' must be one of ${KINDS.join(', ')}`);
    checkFields(kind, fields, document !== undefined);
    const ns = namespaceAt(namespaces, fields[kind]);
    operations.push({
      kind,
      run:
        kind === 'insert'
          ? (writer, position, state) => insertOne(writer, { ns, position, sent: document!, state })
          : statementOf(request, { kind, ns, fields }),
    });
    if (operations.length < sent.length && isTimeUp(progress, 1)) await yieldToEventLoop(progress);
  }
  return operations;
}

/** An update or deletion, executed like a statement of the command for one collection. */
function statementOf(
  request: Request,
  { kind, ns, fields }: { kind: 'update' | 'delete'; ns: string; fields: Document },
): Operation['run'] {
  const { filter: q, updateMods: u, multi, ...options } = fields;
  const context = commandContext(request.body);
  if (kind === 'delete') {
    const statement = { q, limit: flagOption(fields, 'multi') ? 0 : 1, ...options };
    return (writer, _, state) => runDelete({ request, writer, ns, statement, state, context });
  }
  checkShape(u, context);
  const statement = { q, u, multi, ...options };
  return (writer, _, state) => runUpdate({ request, writer, ns, statement, state, context });
}

/** Arrays of operations are extracted undecoded, in the body as in a document sequence. */
function sentOperations({ body, sequences }: Request): Buffer[] {
  const sent = sequences.get('ops');
  if (sent) return sent;
  if (body.ops === undefined) throw missing('bulkWrite.ops');
  throw typeMismatch(`BSON field 'bulkWrite.ops' is the wrong type '${typeOf(body.ops)}', expected type 'array'`);
}

/** Decodes an operation, but not the document that it inserts. */
function parse(sent: Buffer): { fields: Document; document: Buffer | undefined } {
  const elements: Buffer[] = [];
  let document: Buffer | undefined;
  for (const { start, nameEnd, valueStart, end } of elementsOf(sent)) {
    const isDocumentToInsert =
      sent[start] === EMBEDDED_DOCUMENT && sent.toString('latin1', start + 1, nameEnd) === 'document';
    if (isDocumentToInsert) document = sent.subarray(valueStart, end);
    else elements.push(sent.subarray(start, end));
  }
  return { fields: decodeCommand(documentOf(elements)), document };
}

function checkFields(kind: Kind, fields: Document, hasDocument: boolean): void {
  const { required, optional } = FIELDS[kind];
  refuseUnknown(`a '${kind}' of 'bulkWrite'`, fields, [kind, ...required, ...optional]);
  for (const name of required) {
    if (name === 'document' ? !hasDocument : !(name in fields)) throw missing(`bulkWrite.ops.${name}`);
  }
  if (hasDocument && kind !== 'insert') throw unknownOption('document', `a '${kind}' of 'bulkWrite'`);
  if (kind !== 'insert') checkStatementTypes(kind === 'update' ? 'updates' : 'deletes', fields);
  refuseCollation(fields);
}

function namespacesOf({ body, sequences, transaction }: Request): string[] {
  const sent = sequences.get('nsInfo')?.map((bytes) => decodeCommand(bytes)) ?? arrayOption(body, 'nsInfo');
  return sent.map((info) => {
    const ns = isDocument(info) ? info.ns : undefined;
    if (typeof ns !== 'string') {
      throw typeMismatch(`BSON field 'bulkWrite.nsInfo.ns' is the wrong type '${typeOf(ns)}', expected type 'string'`);
    }
    checkNamespace(ns);
    if (transaction && ns.slice(ns.indexOf('.') + 1).startsWith('system.')) {
      throw new CommandError(263, `Cannot run command against the '${ns}' collection in a transaction.`);
    }
    return ns;
  });
}

function namespaceAt(namespaces: readonly string[], position: unknown): string {
  const ns = isNumber(position) ? namespaces[toNumber(position)] : undefined;
  if (ns === undefined) throw badValue(`bulkWrite has no entry ${String(position)} in nsInfo`);
  return ns;
}

function replyOf(
  operations: readonly Operation[],
  outcome: Outcome,
  { isErrorsOnly }: { isErrorsOnly: boolean },
): Document {
  const { results, writeErrors, retried } = outcome;
  const counts = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const items: Document[] = [];
  for (const [idx, result] of results.entries()) {
    if (!result) continue;
    const { n, nModified, upserted } = result;
    const { kind } = operations[idx]!;
    if (kind === 'insert') counts.nInserted += n;
    else if (kind === 'delete') counts.nDeleted += n;
    else if ('upserted' in result) counts.nUpserted += n;
    else counts.nMatched += n;
    counts.nModified += nModified ?? 0;
    const more = {
      ...(kind === 'update' && { nModified }),
      ...('upserted' in result && { upserted: { _id: upserted } }),
    };
    if (!isErrorsOnly) items.push({ ok: 1, idx, n, ...more });
  }
  for (const { index: idx, ...error } of writeErrors) {
    items.push({ ok: 0, idx, ...error, n: 0, ...(operations[idx]!.kind === 'update' && { nModified: 0 }) });
  }
  items.sort((one, other) => one.idx - other.idx);
  return {
    cursor: { id: Long.ZERO, firstBatch: items, ns: 'admin.$cmd.bulkWrite' },
    nErrors: writeErrors.length,
    ...counts,
    ...(retried.length > 0 && { retriedStmtIds: retried }),
  };
}
