import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, Services } from '../context.ts';
import {
  checkKind,
  createFiles,
  newFileId,
  type StoredUpload,
  type UploadKind,
  uploadFields,
} from '../domain/file/create-files.ts';
import { fileUrlOf } from '../domain/file/file-url.ts';
import { OperationError } from '../errors.ts';
import type { Guard } from '../limits/request-deadline.ts';
import type { FileRecord } from '../store/records/media.ts';
import { createInspection } from './inspect.ts';
import { StorageError } from './storage-error.ts';
import { MAX_FILES, UPLOAD_DOORS } from './upload-doors.ts';

export interface UploadOptions {
  services: Services;
  guard: Guard;
  contextOf: (request: FastifyRequest) => Promise<Context>;
}

const MAX_NAME = 255;
const MEBIBYTE = 1_048_576;

/** `POST /api/v4/files` and its like: one multipart body with up to ten parts called `files`; answers with their records. */
export function mountUploads(server: FastifyInstance, options: UploadOptions): void {
  const { services, guard, contextOf } = options;
  // In a scope of its own: nowhere else is a form a body.
  void server.register(async (scope) => {
    await scope.register(multipart, {
      limits: {
        fileSize: services.config.FILE_LIMIT_MB * MEBIBYTE,
        files: MAX_FILES,
        fields: 20,
        fieldSize: 10_000,
        fieldNameSize: 100,
        parts: 40,
        headerPairs: 50,
      },
    });
    for (const [path, kind] of UPLOAD_DOORS) {
      scope.post(path, async (request, reply) => {
        const context = await guard(() => contextOf(request));
        if (!context.viewer) throw new OperationError('UNAUTHORIZED');
        if (!request.isMultipart()) {
          throw new OperationError('INVALID_PARAMETERS', { detail: ['The body must be multipart/form-data.'] });
        }
        const files = await receive(request, kind, options);
        reply.header('content-type', 'application/json; charset=utf-8');
        return JSON.stringify(files.map((file) => restFile(context, file)));
      });
    }
  });
}

/** Stores what comes, then makes the records; whatever goes wrong, and also when the client goes away, nothing is left. */
async function receive(
  request: FastifyRequest,
  kind: UploadKind,
  { services, guard, contextOf }: UploadOptions,
): Promise<FileRecord[]> {
  const begun: string[] = [];
  try {
    const { stored, fields } = await readParts(request, services, (fileId) => begun.push(fileId));
    if (stored.length === 0)
      throw new OperationError('INVALID_PARAMETERS', { detail: ['files: at least 1'], path: ['files'] });
    for (const upload of stored) checkKind(kind, upload);
    const said = uploadFields(fields);
    const preferred = fields.preferredFilename;
    const named = stored.map((upload) =>
      preferred ? { ...upload, name: safeName(preferred, upload.fileId) } : upload,
    );
    // The time of the request began when its first byte came; the records have a request's time of their own.
    return await guard(async () => createFiles(await contextOf(request), named, { kind, ...said }));
  } catch (error) {
    if (error instanceof StorageError) request.log.error({ err: error.cause }, 'an upload could not be stored');
    // What nobody keeps is still read to its end: many clients hear no answer before.
    request.raw.unpipe();
    request.raw.resume();
    await Promise.allSettled(begun.map((fileId) => services.files.remove(fileId)));
    throw error;
  }
}

async function readParts(
  request: FastifyRequest,
  services: Services,
  begin: (fileId: string) => void,
): Promise<{ stored: StoredUpload[]; fields: { [name: string]: string } }> {
  const stored: StoredUpload[] = [];
  const fields: { [name: string]: string } = Object.create(null);
  for await (const part of partsOf(request)) {
    if (part.type === 'file') {
      const fileId = newFileId();
      begin(fileId);
      stored.push(await store(services, fileId, part));
    } else if (typeof part.value === 'string') {
      fields[part.fieldname] = part.value;
    }
  }
  return { stored, fields };
}

/** The parts of a multipart body. @throws {OperationError} BAD_REQUEST for a body that is none */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  const parts = request.parts();
  try {
    for (;;) {
      const { done, value } = await parts.next().catch(throwUnreadable);
      if (done) return;
      yield value;
    }
  } finally {
    await parts.return?.(undefined).catch(() => undefined);
  }
}

/** The parser reports a malformed body by an error without a status. */
function throwUnreadable(error: unknown): never {
  if (error instanceof Error && 'statusCode' in error) throw error;
  throw new OperationError('BAD_REQUEST', { message: 'The multipart body could not be read.' });
}

/** Passes the bytes on as they come; no file is ever whole in memory. */
async function store({ files }: Services, fileId: string, { file, filename }: MultipartFile): Promise<StoredUpload> {
  const { through, result } = createInspection();
  file.once('error', (error) => through.destroy(error));
  file.pipe(through);
  await files.put(fileId, through);
  if (file.truncated) throw new OperationError('TOO_LARGE');
  return { fileId, name: safeName(filename, fileId), ...(await result()) };
}

/** A name to show: the last part of what the client sent, without what a terminal or a header would take for more. */
function safeName(name: string | undefined, fileId: string): string {
  const last = (name ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const shown = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return [...shown].slice(0, MAX_NAME).join('') || fileId;
}

/** A record as the REST door shows it (interface §2). */
function restFile(services: Services, file: FileRecord): object {
  const { fileId, altText, type, accessType, createdAt, updatedAt, attributes } = file;
  const fileUrl = fileUrlOf(services, file);
  return { fileId, fileUrl, altText, type, accessType, createdAt, updatedAt, attributes };
}
