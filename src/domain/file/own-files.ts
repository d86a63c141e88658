import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { FileRecord } from '../../store/records/media.ts';

/**
 * Makes sure that files may stand in what the viewer writes: they are there and the viewer's own, or the record holds
 * them already.
 * @throws {OperationError} NOT_FOUND
 */
export async function checkOwnFiles(
  context: Context,
  { fileIds, held = [] }: { fileIds: readonly string[]; held?: readonly string[] },
): Promise<void> {
  const { userId } = viewerOf(context);
  const wanted = [...new Set(fileIds)].filter((fileId) => !held.includes(fileId));
  const files = await Promise.all(wanted.map((fileId) => context.load.files.load(fileId)));
  if (!files.every((file) => file?.userId === userId && isLive(file))) throw notFound('File');
}

function isLive(file: FileRecord & { isDeleted?: boolean }): boolean {
  return file.isDeleted !== true;
}
