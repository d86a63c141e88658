import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { usableFiles } from '../file/usable-files.ts';
import type { NewStoryInput } from './story-input.ts';

/**
 * What a new story shows: only what belongs to its kind.
 * @throws {OperationError} INVALID_PARAMETERS when it shows nothing, or a file of another kind; NOT_FOUND for a file that
 *   is not the viewer's
 */
export async function storyContent(context: Context, { dataType, data }: NewStoryInput): Promise<StoryRecord['data']> {
  const caption = data?.text ? { text: data.text } : {};
  if (dataType === 'text') {
    if (!data?.text) throw fault('data.text', 'a story of text needs one');
    return caption;
  }
  const original = dataType === 'video' ? (data?.videoFileId?.original ?? data?.fileId) : data?.fileId;
  if (!original) throw fault('data.fileId', `a story of ${dataType} needs a file`);
  const thumbnailFileId = dataType === 'video' ? data?.thumbnailFileId : null;
  const [file, still] = await usableFiles(context, [original, ...(thumbnailFileId ? [thumbnailFileId] : [])], {
    path: ['data', 'fileId'],
  });
  const holds = file!.type === dataType || (dataType === 'video' && file!.type === 'clip');
  if (!holds) throw fault('data.fileId', `this file holds no ${dataType}`);
  if (still && still.type !== 'image') throw fault('data.thumbnailFileId', 'the still of a video is a picture');
  if (dataType === 'image') return { ...caption, fileId: original, imageDisplayMode: data?.imageDisplayMode ?? 'fit' };
  return { ...caption, videoFileId: { original }, ...(thumbnailFileId && { thumbnailFileId }) };
}

function fault(field: string, message: string): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${message}`], path: field.split('.') });
}
