import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { append } from '../../events/append.ts';
import type { FileRecord } from '../../store/records/media.ts';
import { validate } from '../input.ts';
import { requireUsers } from '../user/lookup/require-users.ts';
import { fileEvent } from './file-events.ts';

/** What a door of uploads takes; `file` takes everything. */
export type UploadKind = 'file' | 'image' | 'video' | 'audio';

/** Bytes that are in the storage, and what was found in them. */
export interface StoredUpload {
  fileId: string;
  /** What the client calls it; only ever shown. */
  name: string;
  size: number;
  mimeType: string;
  extension: string | null;
  width: number;
  height: number;
}

const said = z.object({
  accessType: z.enum(['public', 'network']).default('public'),
  altText: z.string().max(1_000).optional(),
});

/** An id for bytes that are about to be stored: 128 random bits, since a public file is served to anyone who knows its id. */
export function newFileId(): string {
  return randomBytes(16).toString('hex');
}

/** What an upload may say of its files. @throws {OperationError} INVALID_PARAMETERS */
export function uploadFields(fields: { [name: string]: unknown }): z.output<typeof said> {
  return validate(said, { accessType: fields.accessType || undefined, altText: fields.altText } as z.input<
    typeof said
  >);
}

/** @throws {OperationError} UNSUPPORTED_FORMAT for bytes that are not what the door takes */
export function checkKind(kind: UploadKind, { mimeType }: Pick<StoredUpload, 'mimeType'>): void {
  if (kind === 'file' || kindOf(mimeType) === kind) return;
  throw new OperationError('UNSUPPORTED_FORMAT', { detail: [`files: ${mimeType} is no ${kind}`], path: ['files'] });
}

/** Makes the records of files whose bytes are stored, of all of them or of none. */
export async function createFiles(
  context: Context,
  uploads: readonly StoredUpload[],
  { kind, ...fields }: { kind: UploadKind } & z.output<typeof said>,
): Promise<FileRecord[]> {
  const { networkId, userId } = viewerOf(context);
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
    await append(
      context,
      session,
      files.map((file) => fileEvent('file.created', file)),
    );
  });
  for (const file of files) context.load.files.prime(file.fileId, file);
  return files;
}

/** A picture that is drawn by a script, such as SVG, is a document. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|heic|heif|bmp|tiff|apng)$/;

function kindOf(mimeType: string): 'image' | 'video' | 'audio' | null {
  if (PICTURES.test(mimeType)) return 'image';
  if (mimeType.startsWith('video/')) return 'video';
  return mimeType.startsWith('audio/') ? 'audio' : null;
}

function extensionOf(name: string): string | null {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? null;
}
