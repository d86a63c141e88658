import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { usableFiles } from '../file/usable-files.ts';
import type { NewStoryInput } from './story-input.ts';

/**
 * The content of a new story: only the fields of its data type.
 * @throws {OperationError} INVALID_PARAMETERS without content or for a file of another type; NOT_FOUND for a file that
 *   the viewer did not upload
 */
export async function storyContent(context: Context, { dataType, data }: NewStoryInput): Promise<StoryRecord['data']> {
  const caption = data?.text ? { text: data.text } : {};
  if (dataType === 'text') {
    if (!data?.text) throw fault('data.text', 'required for a text story');
    return caption;
  }
  const original = dataType === 'video' ? (data?.videoFileId?.original ?? data?.fileId) : data?.fileId;
  if (!original) throw fault('data.fileId', `required for a story of type ${dataType}`);
  const thumbnailFileId = dataType === 'video' ? data?.thumbnailFileId : null;
  const [file, still] = await usableFiles(context, [original, ...(thumbnailFileId ? [thumbnailFileId] : [])], {
    path: ['data', 'fileId'],
  });
  const holds = file!.type === dataType || (dataType === 'video' && file!.type === 'clip');
  if (!holds) throw fault('data.fileId', `must be a file of type ${dataType}`);
  if (still && still.type !== 'image') throw fault('data.thumbnailFileId', 'must be an image');
  if (dataType === 'image') return { ...caption, fileId: original, imageDisplayMode: data?.imageDisplayMode ?? 'fit' };
  return { ...caption, videoFileId: { original }, ...(thumbnailFileId && { thumbnailFileId }) };
}

function fault(field: string, message: string): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${message}`], path: field.split('.') });
}
