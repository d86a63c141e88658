import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { FileRecord } from '../../store/records/media.ts';

type Ids = ReadonlyArray<string | null | undefined>;

/**
 * The files that the viewer puts into a record: existing files that they uploaded, and files that the record already
 * contains. Users cannot add files that others uploaded.
 *
 * @param of.held ids of files that the record contains now, uploaded by any user
 * @param of.path path of the ids in the input
 * @returns the files, without deleted ones among `held`
 * @throws {OperationError} NOT_FOUND, with the path, for a file that does not exist or that another user uploaded
 */
export async function usableFiles(
  context: Context,
  fileIds: Ids,
  of: { path: readonly string[]; held?: Ids },
): Promise<FileRecord[]> {
  const { userId } = viewerOf(context);
  const input = fileIds.filter((fileId) => typeof fileId === 'string');
  const files = await Promise.all(input.map((fileId) => context.load.files.load(fileId)));
  const isUsable = (file: FileRecord | null, index: number): boolean =>
    file?.userId === userId || (of.held?.includes(input[index]) ?? false);
  if (!files.every(isUsable)) throw new OperationError('NOT_FOUND', { message: 'File not found.', path: of.path });
  return files.filter((file) => file !== null);
}
