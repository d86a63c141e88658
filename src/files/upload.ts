import { pipeline, type Readable } from 'node:stream';
import type { Context, Services, Viewer } from '../context.ts';
import {
  checkKind,
  createFiles,
  newFileId,
  provesNoRecord,
  type StoredUpload,
  type UploadKind,
  uploadFields,
} from '../domain/file/create-files.ts';
import { requireWriter } from '../domain/require-writer.ts';
import { OperationError } from '../errors.ts';
import type { FileStorage } from './file-storage.ts';
import { createInspection } from './inspect.ts';
import { unreadableBody } from './multipart-parts.ts';

export { MAX_FILES } from '../domain/file/create-files.ts';

/** Characters of a file name. */
const MAX_NAME = 255;

export interface IncomingFile {
  /** Sets `truncated` when the file exceeds the size limit. */
  stream: Readable & { truncated?: boolean };
  filename: string | undefined;
}

/** The files of one upload: all of them get records, or none is kept. */
export interface Upload {
  /**
   * Streams a file to the storage; no file is ever in memory as a whole.
   * @throws {OperationError} TOO_LARGE, BAD_REQUEST
   */
  store(file: IncomingFile): Promise<void>;
  /** Checks the stored files and the form fields. @throws {OperationError} INVALID_PARAMETERS, UNSUPPORTED_FORMAT */
  check(): void;
  /** Creates the records of the stored files and returns their ids, in the order stored. */
  create(context: Context): Promise<string[]>;
  /** Removes the bytes of all files that {@link store} began to write. */
  discard(): Promise<void>;
}

export interface UploadOptions {
  viewer: Viewer;
  kind: UploadKind;
  /** Form fields of the upload, read when {@link Upload.check} is called. */
  fields: { [name: string]: string };
}

/** @throws {OperationError} VISITOR_DENIED, BOT_DENIED */
export function startUpload({ files }: Services, { viewer, kind, fields }: UploadOptions): Upload {
  requireWriter(viewer);
  const startedIds: string[] = [];
  const stored: StoredUpload[] = [];

  return {
    async store({ stream, filename }) {
      const fileId = newFileId();
      startedIds.push(fileId);
      stored.push(await storeUpload(files, fileId, { stream, filename }));
    },
    check() {
      if (stored.length === 0)
        throw new OperationError('INVALID_PARAMETERS', { detail: ['files: at least 1'], path: ['files'] });
      for (const upload of stored) checkKind(kind, upload);
      uploadFields(fields);
    },
    async create(context) {
      const { preferredFilename } = fields;
      const named = stored.map((upload) =>
        preferredFilename ? { ...upload, name: safeName(preferredFilename, upload.fileId) } : upload,
      );
      // A record may refer to the bytes, unless an error proves that there is none.
      const ids = startedIds.splice(0);
      await createFiles(context, named, { kind, ...uploadFields(fields) }).catch((error: unknown) => {
        if (provesNoRecord(error)) startedIds.push(...ids);
        throw error;
      });
      return named.map(({ fileId }) => fileId);
    },
    async discard() {
      await Promise.allSettled(startedIds.map((fileId) => files.remove(fileId)));
    },
  };
}

/**
 * Streams a file to the storage; no file is ever in memory as a whole.
 * @throws {OperationError} TOO_LARGE, BAD_REQUEST
 */
export async function storeUpload(
  files: FileStorage,
  fileId: string,
  { stream, filename }: IncomingFile,
): Promise<StoredUpload> {
  const { through, result } = createInspection();
  // The client may abort before the storage listens. The storage still receives the error when it reads.
  through.on('error', () => undefined);
  pipeline(bytesOf(stream), through, () => undefined);
  await files.put(fileId, through);
  if (stream.truncated) throw new OperationError('TOO_LARGE');
  return { fileId, name: safeName(filename, fileId), ...(await result()) };
}

/** @throws {OperationError} BAD_REQUEST when the client aborts the upload */
async function* bytesOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch {
    throw unreadableBody();
  }
}

/** The last part of a path, without control and format characters, which terminals and headers could interpret. */
function safeName(name: string | undefined, fileId: string): string {
  const last = (name ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const printable = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return [...printable].slice(0, MAX_NAME).join('') || fileId;
}
