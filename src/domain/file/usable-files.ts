import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { FileRecord } from '../../store/records/media.ts';

/**
 * The files that the viewer puts into a record: their own, and those that the record holds already.
 *
 * @param of.held ids of files that the record names, whoever uploaded them
 * @param of.path where the input names them
 * @throws {OperationError} NOT_FOUND when one is absent or belongs to somebody else
 */
export async function usableFiles(
  context: Context,
  fileIds: readonly string[],
  of: { held?: readonly string[]; path: readonly string[] },
): Promise<FileRecord[]> {
  const { userId } = viewerOf(context);
  const files = await Promise.all(fileIds.map((fileId) => context.load.files.load(fileId)));
  return files.map((file) => {
    const isUsable = file !== null && (file.userId === userId || of.held?.includes(file.fileId));
    if (!isUsable) throw new OperationError('NOT_FOUND', { message: 'File not found.', path: of.path });
    return file;
  });
}
