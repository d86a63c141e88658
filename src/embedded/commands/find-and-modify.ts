import type { Document } from 'bson';
import { failedToParse, isDocument } from '../lib/index.ts';
import { assertUpsertable, commandContext, compileProjection, versionOf } from '../query/index.ts';
import type { Writer } from '../storage/index.ts';
import {
  type Command,
  countOption,
  documentOption,
  flagOption,
  namespaceOf,
  perform,
  type Request,
  refuseCollation,
  viewOf,
} from './command.ts';
import { findTarget, type Search, type Target, targetOf, updateOf, updateRecord, upsertRecord } from './modify.ts';

export const findAndModify: Command = {
  isWrite: true,
  options: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'hint',
    'bypassDocumentValidation',
    'collation',
    'let',
    'stmtId',
  ],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const { body } = request;
    const ns = namespaceOf(request);
    const target = targetOfModification(body, ns);
    const isRemove = flagOption(body, 'remove');
    const fields = documentOption(body, 'fields');
    // An invalid projection is no error if the collection does not exist.
    const project = viewOf(request).collection(ns) && projectionOf(body, fields);
    const carryOut = isRemove ? removeOne : updateOne;
    const search: Search = {};
    return perform(request, (writer, memory) => {
      const id = countOption(body, 'stmtId') ?? 0;
      const known = memory?.recall(id);
      if (known) return { ...known, retriedStmtId: id };
      const { lastErrorObject, value, isWritten } = carryOut({ request, writer, target, search });
      // A retry returns the whole document, as in MongoDB.
      if (isWritten) memory?.remember(id, { lastErrorObject, value: value ?? null });
      return { lastErrorObject, value: value ? (project ?? projectionOf(body, fields))(value) : null };
    });
  },
};

/** Validates the options of the command and compiles its target. */
export function targetOfModification(body: Document, ns: string): Target {
  refuseCollation(body);
  const isRemove = flagOption(body, 'remove');
  if (isRemove === (body.update !== undefined))
    throw failedToParse('Either an update or remove=true must be specified');
  if (isRemove && (flagOption(body, 'upsert') || flagOption(body, 'new'))) {
    throw failedToParse("Cannot specify both 'upsert' or 'new' and 'remove'");
  }
  if (!isRemove && !isDocument(body.update) && !Array.isArray(body.update)) {
    throw failedToParse('Update argument must be either an object or an array');
  }
  // Errors in the update are reported before errors in the query.
  const context = commandContext(body);
  if (!isRemove) updateOf(body.update, body.arrayFilters, context);
  const target = targetOf(ns, body.query, { context, sort: documentOption(body, 'sort'), hint: body.hint });
  if (flagOption(body, 'upsert')) assertUpsertable(target.filter);
  return target;
}

interface Modification {
  request: Request;
  writer: Writer;
  target: Target;
  search: Search;
}

interface Modified {
  lastErrorObject: Document;
  value: Document | undefined;
  /** Whether anything changed; otherwise a retry executes the command again. */
  isWritten: boolean;
}

const projectionOf = (body: Document, fields: Document | undefined): ((document: Document) => Document) =>
  fields && Object.keys(fields).length > 0
    ? compileProjection(fields, { context: commandContext(body) }).apply
    : (document) => document;

function removeOne({ request, writer, target, search }: Modification): Modified {
  const row = findTarget(request, writer, target, search);
  if (!row) return { lastErrorObject: { n: 0 }, value: undefined, isWritten: false };
  const before = versionOf(row);
  const collection = writer.view.collection(target.ns)!;
  writer.write({ collection, recordId: row.recordId, before, after: undefined });
  return { lastErrorObject: { n: 1 }, value: before.document, isWritten: true };
}

function updateOne({ request, writer, target, search }: Modification): Modified {
  const { body } = request;
  const update = updateOf(body.update, body.arrayFilters, commandContext(body));
  const isNew = flagOption(body, 'new');
  const row = findTarget(request, writer, target, search);
  if (row) {
    const before = versionOf(row);
    const collection = writer.view.collection(target.ns)!;
    const { recordId } = row;
    const after = updateRecord(writer, { collection, recordId, before, update, filter: target.filter });
    const value = (isNew ? after : before).document;
    return { lastErrorObject: { n: 1, updatedExisting: true }, value, isWritten: after.bytes !== before.bytes };
  }
  if (!flagOption(body, 'upsert')) {
    return { lastErrorObject: { n: 0, updatedExisting: false }, value: undefined, isWritten: false };
  }
  const { document } = upsertRecord(writer, target, update);
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: document._id },
    value: isNew ? document : undefined,
    isWritten: true,
  };
}
