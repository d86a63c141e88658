import { type Context, viewerOf } from '../../context.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** A file. Every signed-in user of the network can see its record. */
export function getFile(context: Context, { fileId }: { fileId: string }): MaybePromise<FileRecord | null> {
  viewerOf(context);
  return context.load.files.load(fileId);
}
