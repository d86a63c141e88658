import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Executor } from '../../../schema/execute.ts';
import type { Context, Services } from '../../../src/context.ts';
import { OperationError } from '../../../src/errors.ts';
import { StorageError } from '../../../src/files/storage-error.ts';
import { MAX_FILES, startUpload, type Upload } from '../../../src/files/upload.ts';
import { UPLOAD_PATHS } from '../../../src/files/upload-paths.ts';
import type { Charge } from '../../../src/limits/rates/charge.ts';
import { UPLOAD } from '../../../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../../../src/limits/request-deadline.ts';
import { prepareRoute } from '../../answer.ts';
import { getFile } from '../../v3/files/files.ts';

export interface UploadOptions {
  services: Services;
  executor: Executor;
  withDeadline: RequestDeadline;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  charge: Charge;
}

const MEBIBYTE = 1_048_576;

/**
 * Mounts the upload routes. They accept a multipart body with up to {@link MAX_FILES} parts named `files` and answer
 * with the records that `GET /api/v3/files/:fileId` returns, in the order sent: `docs/interface.md#upload-files`.
 */
export function mountUploads(
  server: FastifyInstance,
  { services, executor, withDeadline, contextOf, charge }: UploadOptions,
): void {
  const { answer: readFile } = prepareRoute(executor, getFile);

  async function fileRecord(fileId: string, context: Context): Promise<object> {
    const { files } = (await readFile({ path: { fileId }, query: {}, body: undefined }, context)) as {
      files: [object];
    };
    return files[0];
  }

  // A scope of its own: no other route accepts multipart bodies.
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
    for (const [path, kind] of UPLOAD_PATHS) {
      scope.post(path, async (request, reply) => {
        const context = await withDeadline(() => contextOf(request));
        await charge(request, context, UPLOAD);
        const { viewer } = context;
        if (!viewer) throw new OperationError('UNAUTHORIZED');
        if (!request.isMultipart()) {
          throw new OperationError('INVALID_PARAMETERS', { detail: ['The body must be multipart/form-data.'] });
        }
        const fields: { [name: string]: string } = Object.create(null);
        const upload = startUpload(services, { viewer, kind, fields });
        try {
          await receiveParts(request, upload, fields);
          upload.check();
          // Receiving the body does not count towards the deadline: creating the records has one of its own.
          const records = await withDeadline(async () => {
            const context = await contextOf(request);
            const fileIds = await upload.create(context);
            return Promise.all(fileIds.map((fileId) => fileRecord(fileId, context)));
          });
          reply.header('content-type', 'application/json; charset=utf-8');
          return JSON.stringify(records);
        } catch (error) {
          if (error instanceof StorageError) request.log.error({ err: error.cause }, 'an upload could not be stored');
          // The rest of the body is read and dropped: many clients do not read an answer before they have sent it all.
          request.raw.unpipe();
          request.raw.resume();
          await upload.discard();
          throw error;
        }
      });
    }
  });
}

async function receiveParts(
  request: FastifyRequest,
  upload: Upload,
  fields: { [name: string]: string },
): Promise<void> {
  for await (const part of partsOf(request)) {
    if (part.type === 'file') await upload.store({ stream: part.file, filename: part.filename });
    else if (typeof part.value === 'string') fields[part.fieldname] = part.value;
  }
}

/**
 * The parts of a multipart body.
 * @throws {OperationError} BAD_REQUEST for a malformed body
 */
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
