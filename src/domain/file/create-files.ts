import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { FileRecord } from '../../store/records/media.ts';
import { validate } from '../input.ts';
import { requireWriter } from '../require-writer.ts';
import { requireUsers } from '../user/lookup/require-users.ts';
import { fileEvent } from './file-events.ts';

/** Files per upload. */
export const MAX_FILES = 10;

/** The kind of files that an upload endpoint accepts; `file` accepts all, `clip` videos. */
export type UploadKind = 'file' | 'image' | 'video' | 'audio' | 'clip';

/** A file whose bytes are in the storage, with the properties detected in them. */
export interface StoredUpload {
  fileId: string;
  /** File name given by the client; only for display. */
  name: string;
  size: number;
  mimeType: string;
  extension: string | null;
  width: number;
  height: number;
}

const textFields = z.object({
  accessType: z.enum(['public', 'network']).default('public'),
  altText: z.string().max(1_000).optional(),
});

/** An id for bytes that are about to be stored: 128 random bits, since a public file is served to anyone who knows its id. */
export function newFileId(): string {
  return randomBytes(16).toString('hex');
}

/** Form fields of an upload beside its files. @throws {OperationError} INVALID_PARAMETERS */
export function uploadFields(fields: { [name: string]: unknown }): z.output<typeof textFields> {
  return validate(textFields, { accessType: fields.accessType || undefined, altText: fields.altText } as z.input<
    typeof textFields
  >);
}

/** @throws {OperationError} UNSUPPORTED_FORMAT for bytes of another kind */
export function checkKind(kind: UploadKind, { mimeType }: Pick<StoredUpload, 'mimeType'>): void {
  if (kind === 'file' || kindOf(mimeType) === (kind === 'clip' ? 'video' : kind)) return;
  const detail = [`files: ${mimeType} is not a supported ${kind} format`];
  throw new OperationError('UNSUPPORTED_FORMAT', { detail, path: ['files'] });
}

/** Creates the records of stored files, all of them or none. */
export async function createFiles(
  context: Context,
  uploads: readonly StoredUpload[],
  { kind, ...fields }: { kind: UploadKind } & z.output<typeof textFields>,
): Promise<FileRecord[]> {
  const { networkId, userId } = viewerOf(context);
  requireWriter(context.viewer);
  const now = context.now();
  await requireUsers(context, [userId]);
  const files = uploads.map((upload): FileRecord => {
    const { fileId, name, size, mimeType, width, height } = upload;
    const extension = upload.extension ?? extensionOf(name) ?? (mimeType === 'text/plain' ? 'txt' : 'bin');
    return {
      _id: new ObjectId(),
      networkId,
      fileId,
      altText: fields.altText || null,
      type: kind === 'file' ? (kindOf(mimeType) ?? 'file') : kind,
      accessType: fields.accessType,
      userId,
      attributes: { name, extension, size, mimeType, metadata: { exif: {}, gps: {}, height, width, isFull: true } },
      createdAt: now,
      updatedAt: now,
    };
  });
  await context.transaction(async (session) => {
    await context.store.collections.files.insertMany(files, { session });
    await appendEvents(
      context,
      session,
      files.map((file) => fileEvent('file.created', file)),
    );
  });
  for (const file of files) context.load.files.prime(file.fileId, file);
  return files;
}

/** Whether an error of {@link createFiles} proves that it created no record: without the database's answer, it may have. */
export function provesNoRecord(error: unknown): boolean {
  return error instanceof OperationError && error.errorName !== 'UNAVAILABLE';
}

/** Raster formats only: SVG can contain scripts, so it is stored as a document. */
const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp|avif|heic|heif|bmp|tiff|apng)$/;

function kindOf(mimeType: string): 'image' | 'video' | 'audio' | null {
  if (IMAGE_TYPES.test(mimeType)) return 'image';
  if (mimeType.startsWith('video/')) return 'video';
  return mimeType.startsWith('audio/') ? 'audio' : null;
}

function extensionOf(name: string): string | null {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? null;
}
