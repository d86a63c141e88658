import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type Context, viewerOf } from '../../src/context.ts';
import { newFileId } from '../../src/domain/file/create-files.ts';
import { isKept, type ReceivedUpload, receivedUpload } from '../../src/domain/file/received-upload.ts';
import { requireWriter } from '../../src/domain/require-writer.ts';
import { OperationError } from '../../src/errors.ts';
import { dropRest, partsOf } from '../../src/files/multipart-parts.ts';
import { storeUpload } from '../../src/files/upload.ts';
import type { Charge } from '../../src/limits/rates/charge.ts';
import { INVALID, UPLOAD } from '../../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../../src/limits/request-deadline.ts';
import type { Documents } from '../documents/documents.ts';
import { isRefused, type Prepared, type Refused } from '../documents/prepare.ts';
import { reportsCost } from '../http/reports-cost.ts';
import { type FilePlaces, malformed, parseMap, parseOperation } from './multipart-map.ts';

export interface UploadOptions {
  documents: Documents;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  withDeadline: RequestDeadline;
  charge: Charge;
}

/** An operation with its files in the variables. */
export interface ReceivedOperation {
  entry: Prepared;
  variables: { [name: string]: unknown };
  reportsCost: boolean;
  /** Removes the bytes of the files that the operation did not keep. */
  discard(): Promise<void>;
}

/**
 * Headers of which one is required: a browser sends them to another origin only after a preflight, but a multipart form
 * without one, and with cookies.
 */
const PREFLIGHT_HEADERS = ['graphql-require-preflight', 'apollo-require-preflight', 'x-apollo-operation-name'];

/**
 * Reads a request in the form of the GraphQL multipart request specification. The files are streamed to the storage,
 * after the session, the document and the map have been checked.
 * @returns the operation, or the errors of an invalid document
 * @throws {OperationError} BAD_REQUEST for a malformed request, TOO_LARGE, UNAUTHORIZED, VISITOR_DENIED, BOT_DENIED
 */
export async function receiveUploads(
  request: FastifyRequest,
  { documents, contextOf, withDeadline, charge }: UploadOptions,
): Promise<ReceivedOperation | Refused> {
  const startedIds: string[] = [];
  const uploads = new Map<string, ReceivedUpload>();
  const discard = async (context: Context) => {
    const unused = startedIds.filter((fileId) => {
      const upload = uploads.get(fileId);
      return upload === undefined || !isKept(upload);
    });
    await Promise.allSettled(unused.map((fileId) => context.files.remove(fileId)));
  };
  let context: Context | undefined;
  try {
    requirePreflight(request);
    context = await withDeadline(() => contextOf(request));
    requireWriter(viewerOf(context));
    await charge(request, context, UPLOAD);
    const { files } = context;
    const parts = partsOf(request);
    try {
      const operation = parseOperation(await fieldOf(parts, 'operations'));
      const entry = await documents.prepare(operation);
      if (!entry) throw malformed('operations: one operation with a `query`.');
      if (isRefused(entry)) {
        if (!entry.isMiss) await charge(request, { viewer: null }, INVALID);
        dropRest(request, null);
        return entry;
      }
      if (entry.operation.operation !== 'mutation') throw malformed('operations: a mutation.');
      const places = parseMap(await fieldOf(parts, 'map'), operation.variables);
      for await (const part of parts) {
        const place = placeOf(part, places);
        const fileId = newFileId();
        startedIds.push(fileId);
        const { file: stream, filename } = part as Extract<Multipart, { type: 'file' }>;
        const upload = receivedUpload(await storeUpload(files, fileId, { stream, filename }));
        uploads.set(fileId, upload);
        place(upload);
      }
      if (places.size > 0) throw malformed('a file for each entry of `map`.');
      const own = context;
      return {
        entry,
        variables: operation.variables,
        reportsCost: reportsCost(operation.extensions, request.headers),
        discard: () => discard(own),
      };
    } finally {
      await parts.return(undefined);
    }
  } catch (error) {
    dropRest(request, error);
    if (context) await discard(context);
    throw error;
  }
}

function requirePreflight({ headers }: FastifyRequest): void {
  if (PREFLIGHT_HEADERS.some((name) => headers[name])) return;
  throw new OperationError('BAD_REQUEST', {
    message: 'A multipart request needs the header `GraphQL-Require-Preflight: 1`, against requests of other sites.',
  });
}

/** The value of the next part, which must be a field of this name. */
async function fieldOf(parts: AsyncGenerator<Multipart>, name: string): Promise<unknown> {
  const { value: part } = (await parts.next()) as { value: Multipart | undefined };
  if (part?.type !== 'field' || part.fieldname !== name) throw malformed(`the part \`${name}\` before the files.`);
  if (part.valueTruncated) throw new OperationError('TOO_LARGE');
  return part.value;
}

/** The place of a file in the variables, which is taken from the map. */
function placeOf(part: Multipart, places: FilePlaces): (value: unknown) => void {
  const place = places.get(part.fieldname);
  if (part.type !== 'file' || !place) throw malformed('files that are named by `map`, each once.');
  places.delete(part.fieldname);
  return place;
}
