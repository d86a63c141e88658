import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Executor } from '../../../schema/execute.ts';
import type { Context, Services } from '../../../src/context.ts';
import { OperationError } from '../../../src/errors.ts';
import { acceptMultipart, dropRest, partsOf } from '../../../src/files/multipart-parts.ts';
import { startUpload, type Upload } from '../../../src/files/upload.ts';
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

/**
 * Mounts the upload routes. They accept a multipart body with up to ten parts named `files` and answer
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
    await acceptMultipart(scope, { config: services.config, fieldSize: 10_000 });
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
          dropRest(request, error);
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
