import { type Context, viewerOf } from '../../context.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** One file; everybody signed in to the network may see its record. */
export async function getFile(context: Context, { fileId }: { fileId: string }): Promise<FileRecord | null> {
  viewerOf(context);
  return context.load.files.load(fileId);
}
