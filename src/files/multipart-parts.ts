import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { MAX_FILES } from '../domain/file/create-files.ts';
import { OperationError } from '../errors.ts';
import { StorageError } from './storage-error.ts';

const MEBIBYTE = 1_048_576;

/**
 * Lets the routes of a scope accept multipart bodies with up to {@link MAX_FILES} files.
 * @param fieldSize bytes of a field that is no file
 */
export async function acceptMultipart(
  scope: FastifyInstance,
  { config, fieldSize }: { config: Pick<Config, 'FILE_LIMIT_MB'>; fieldSize: number },
): Promise<void> {
  await scope.register(multipart, {
    limits: {
      fileSize: config.FILE_LIMIT_MB * MEBIBYTE,
      files: MAX_FILES,
      fields: 20,
      fieldSize,
      fieldNameSize: 100,
      parts: 40,
      headerPairs: 50,
    },
  });
}

/**
 * The parts of a multipart body.
 * @throws {OperationError} BAD_REQUEST for a malformed body
 */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
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
  throw unreadableBody();
}

/** The error of a body that is malformed or ends too early. */
export function unreadableBody(): OperationError {
  return new OperationError('BAD_REQUEST', { message: 'The multipart body could not be read.' });
}

/** After a failure, reads and drops the rest of the body: many clients do not read an answer before they have sent it all. */
export function dropRest(request: FastifyRequest, error: unknown): void {
  if (error instanceof StorageError) request.log.error({ err: error.cause }, 'an upload could not be stored');
  request.raw.unpipe();
  request.raw.resume();
}
