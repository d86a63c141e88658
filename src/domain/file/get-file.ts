import { type Context, viewerOf } from '../../context.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** A file. Every signed-in user of the network can see its record. */
export async function getFile(context: Context, { fileId }: { fileId: string }): Promise<FileRecord | null> {
  viewerOf(context);
  return context.load.files.load(fileId);
}
