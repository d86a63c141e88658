import { type Document, ObjectId } from 'bson';
import { documentOf, findId, withElementFirst } from '../bytes.ts';
import { type Command, missing, namespaceOf, type Request } from '../command.ts';
import { badValue } from '../language/errors.ts';
import { checkId } from '../language/update.ts';
import { bulkReply, checkBatchSize, runStatements } from '../statements.ts';
import { decodeSent, MAX_DOCUMENT_SIZE } from '../wire.ts';

export const insert: Command = {
  isWrite: true,
  options: ['documents', 'ordered', 'bypassDocumentValidation', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const ns = namespaceOf(request);
    const documents = documentsOf(request);
    const outcome = await runStatements(request, {
      count: documents.length,
      isOrdered: request.body.ordered !== false,
      run(writer, position, state) {
        const collection = writer.collectionFor(ns);
        const after = versionToInsert(documents[position]!);
        writer.write({ collection, recordId: collection.nextRecordId++, before: undefined, after });
        state.hasWritten = true;
        return { n: 1 };
      },
    });
    return bulkReply(outcome);
  },
};

function documentsOf({ body, sequences }: Request): Buffer[] {
  const documents = sequences.get('documents');
  if (!documents)
    throw body.documents === undefined ? missing('insert.documents') : badValue('documents must be an array');
  checkBatchSize(documents.length);
  return documents;
}

/** The document as it is stored: with an `_id`, and that first. */
function versionToInsert(sent: Buffer): { bytes: Buffer; document: Document } {
  const place = findId(sent);
  const bytes = place ? withElementFirst(sent, place) : withNewId(sent);
  if (bytes.length > MAX_DOCUMENT_SIZE) {
    throw badValue(`object to insert too large. size in bytes: ${bytes.length}, max size: ${MAX_DOCUMENT_SIZE}`);
  }
  const document = decodeSent(bytes);
  checkId(document._id);
  return { bytes, document };
}

const withNewId = (bytes: Buffer): Buffer =>
  documentOf([Buffer.from([7]), Buffer.from('_id\0'), new ObjectId().id, bytes.subarray(4, -1)]);
