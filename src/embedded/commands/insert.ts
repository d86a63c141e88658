import { type Document, ObjectId } from 'bson';
import { badValue, findId, pause, runInSlices } from '../lib/index.ts';
import { checkId } from '../query/index.ts';
import {
  LARGE_VALUE,
  LockWait,
  paddedCopy,
  precomputeChecksum,
  type Storage,
  StorageFailure,
  type Version,
  type Writer,
} from '../storage/index.ts';
import { decodeSent, MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import { type Command, missing, namespaceOf, type Request } from './command.ts';
import { bulkReply, checkBatchSize, runStatements, type StatementState } from './statements.ts';

export const insert: Command = {
  isWrite: true,
  options: ['documents', 'ordered', 'bypassDocumentValidation', 'stmtIds', 'stmtId'],
  isAllowedInTransaction: true,
  isRetryable: true,
  async run(request) {
    const ns = namespaceOf(request);
    const documents = documentsOf(request);
    const insertOne = createInserts(request.engine.storage);
    const outcome = await runStatements(request, {
      count: documents.length,
      isOrdered: request.body.ordered !== false,
      run: (writer, position, state) => insertOne(writer, { ns, position, sent: documents[position]!, state }),
    });
    return bulkReply(outcome);
  },
};

interface Insert {
  ns: string;
  /** Its position among the statements of the command. */
  position: number;
  sent: Buffer;
  state: StatementState;
}

/** Creates the function that executes the inserts of one command. It waits while it prepares a large document. */
export function createInserts(storage: Storage): (writer: Writer, insert: Insert) => Document {
  /** The large document that is inserted next, or its error. */
  let prepared: { position: number; version?: Version; error?: unknown } | undefined;
  async function prepareLarge(position: number, sent: Buffer): Promise<void> {
    try {
      prepared = { position, version: await prepare(sent, storage) };
    } catch (error) {
      prepared = { position, error };
    }
  }
  return (writer, { ns, position, sent, state }) => {
    const isLarge = sent.length >= LARGE_VALUE;
    if (isLarge && prepared?.position !== position) throw new LockWait(prepareLarge(position, sent));
    if (isLarge && prepared?.error) throw prepared.error;
    const collection = writer.collectionFor(ns);
    const after = (isLarge ? prepared?.version : undefined) ?? versionToInsert(sent);
    writer.write({ collection, recordId: collection.nextRecordId++, before: undefined, after });
    prepared = undefined;
    state.hasWritten = true;
    return { n: 1 };
  };
}

function documentsOf({ body, sequences }: Request): Buffer[] {
  const documents = sequences.get('documents');
  if (!documents)
    throw body.documents === undefined ? missing('insert.documents') : badValue('documents must be an array');
  checkBatchSize(documents.length);
  return documents;
}

function versionToInsert(sent: Buffer): Version {
  const parts = partsToInsert(sent);
  return decodeToInsert(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
}

/** Copies a large document, decodes it and computes its checksum before the commit, with pauses in between. */
async function prepare(sent: Buffer, storage: Storage): Promise<Version> {
  const bytes = paddedCopy(partsToInsert(sent));
  await pause();
  const version = decodeToInsert(bytes);
  await pause();
  await runInSlices(precomputeChecksum(bytes));
  await pause();
  reserve(storage, 2 * bytes.length);
  await pause();
  return version;
}

/** The document is written twice: as a record and in the change log. */
function reserve(storage: Storage, bytes: number): void {
  try {
    storage.reserve(bytes);
  } catch (error) {
    // The commit fails with the right error unless space has become available.
    if (!(error instanceof StorageFailure)) throw error;
  }
}

/** The parts of the stored document, whose first field is `_id`; generates a missing `_id`. */
function partsToInsert(sent: Buffer): Buffer[] {
  const place = findId(sent);
  if (place?.start === 4) return [checkedSize(sent, sent.length)];
  const id = place ? sent.subarray(place.start, place.end) : newId();
  const others = place ? [sent.subarray(4, place.start), sent.subarray(place.end)] : [sent.subarray(4)];
  const size = Buffer.allocUnsafe(4);
  size.writeInt32LE(4 + id.length + others.reduce((sum, { length }) => sum + length, 0));
  return [checkedSize(size, size.readInt32LE()), id, ...others];
}

function checkedSize(head: Buffer, size: number): Buffer {
  if (size <= MAX_DOCUMENT_SIZE) return head;
  throw badValue(`object to insert too large. size in bytes: ${size}, max size: ${MAX_DOCUMENT_SIZE}`);
}

const newId = (): Buffer => Buffer.concat([Buffer.from('\x07_id\0', 'latin1'), new ObjectId().id]);

function decodeToInsert(bytes: Buffer): { bytes: Buffer; document: Document } {
  const document = decodeSent(bytes);
  checkId(document._id);
  return { bytes, document };
}
