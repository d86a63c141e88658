import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { FileRecord } from '../../store/records/media.ts';

type Ids = ReadonlyArray<string | null | undefined>;

/**
 * The files that the viewer puts into a record: their own that are still there, and whatever the record holds already.
 * What others uploaded is theirs to show.
 *
 * @param of.held ids of files that the record names now, whoever uploaded them
 * @param of.path where the input names them
 * @returns the files, without those that are held but gone
 * @throws {OperationError} NOT_FOUND, with the path, when one is absent or belongs to somebody else
 */
export async function usableFiles(
  context: Context,
  fileIds: Ids,
  of: { path: readonly string[]; held?: Ids },
): Promise<FileRecord[]> {
  const { userId } = viewerOf(context);
  const asked = fileIds.filter((fileId) => typeof fileId === 'string');
  const files = await Promise.all(asked.map((fileId) => context.load.files.load(fileId)));
  const isUsable = (file: FileRecord | null, place: number): boolean =>
    file?.userId === userId || (of.held?.includes(asked[place]) ?? false);
  if (!files.every(isUsable)) throw new OperationError('NOT_FOUND', { message: 'File not found.', path: of.path });
  return files.filter((file) => file !== null);
}
