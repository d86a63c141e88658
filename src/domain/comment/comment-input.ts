import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { usableFiles } from '../file/usable-files.ts';
import { id, json, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

const MAX_ATTACHMENTS = 10;

/** What both making and changing a comment take. */
const said = {
  data: z.object({ text: text({ min: 0, max: 20_000 }).nullish() }).nullish(),
  attachments: z
    .array(z.object({ type: z.literal('image'), fileId: id() }))
    .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS}`)
    .nullish(),
  metadata: json().nullish(),
  mentionees: mentionees().nullish(),
};

export const createCommentInput = z.object({
  referenceType: z.enum(['post', 'story', 'content']).nullish(),
  referenceId: id(),
  parentId: id().nullish(),
  ...said,
});
export type CreateCommentInput = z.input<typeof createCommentInput>;

export const updateCommentInput = z.object({ commentId: id(), ...said });
export type UpdateCommentInput = z.input<typeof updateCommentInput>;

type Attachments = CommentRecord['attachments'];

/**
 * The pictures of a comment.
 * @param held those it has already
 * @throws {OperationError} NOT_FOUND for a file that is not the viewer's, INVALID_PARAMETERS for what is no picture
 */
export async function imagesOf(
  context: Context,
  attachments: Attachments,
  held: Attachments = [],
): Promise<Attachments> {
  viewerOf(context);
  const path = ['attachments'];
  const fileIds = [...new Set(attachments.map(({ fileId }) => fileId))];
  const files = await usableFiles(context, fileIds, { held: held.map(({ fileId }) => fileId), path });
  const stray = files.find(({ type }) => type !== 'image');
  if (stray)
    throw new OperationError('INVALID_PARAMETERS', { detail: [`attachments: ${stray.fileId} is no picture`], path });
  return fileIds.map((fileId) => ({ type: 'image', fileId }));
}

/**
 * What a comment holds, by its content.
 * @throws {OperationError} INVALID_PARAMETERS for one that says nothing
 */
export function kindsOf({
  data,
  attachments,
}: Pick<CommentRecord, 'data' | 'attachments'>): Pick<CommentRecord, 'dataType' | 'dataTypes'> {
  const dataTypes = [...(data.text ? ['text'] : []), ...(attachments.length > 0 ? ['image'] : [])];
  if (dataTypes.length === 0) {
    const detail = ['data.text: a comment needs a text or a picture'];
    throw new OperationError('INVALID_PARAMETERS', { detail, path: ['data', 'text'] });
  }
  return { dataType: dataTypes[0]!, dataTypes };
}
