import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';

/**
 * Sees to it that a record names only files which the viewer uploaded and which are still there, or which it holds
 * already: what others uploaded is theirs to show.
 *
 * @param held the ids that the record names now
 * @throws {OperationError} NOT_FOUND, with the path of the field
 */
export async function checkUsableFiles(
  context: Context,
  fileIds: ReadonlyArray<string | null | undefined>,
  { path, held = [] }: { path: string; held?: ReadonlyArray<string | null | undefined> },
): Promise<void> {
  const { userId } = viewerOf(context);
  const asked = fileIds.filter((fileId): fileId is string => typeof fileId === 'string' && !held.includes(fileId));
  const files = await Promise.all(asked.map((fileId) => context.load.files.load(fileId)));
  if (files.every((file) => file?.userId === userId)) return;
  throw new OperationError('NOT_FOUND', { message: 'File not found.', path: [path] });
}
