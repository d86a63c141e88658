import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { usableFiles } from '../file/usable-files.ts';
import { flagFields } from '../flag/flag-reason.ts';
import { id, json, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

const MAX_ATTACHMENTS = 10;

/** Input fields for creating and updating a comment. */
export const commentData = z.object({ text: text({ min: 0, max: 20_000 }).nullish().describe('Text.') });

export const commentAttachment = z.object({
  type: z.literal('image').describe('Kind of attachment.'),
  fileId: id().describe('File id of an image that the viewer uploaded.'),
});

const content = {
  data: commentData.nullish().describe('Content; required unless there are attachments.'),
  attachments: z
    .array(commentAttachment)
    .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS}`)
    .nullish()
    .describe('Attachments.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
  mentionees: mentionees().nullish().describe('Mentioned users.'),
};

export const createCommentInput = z.object({
  referenceType: z
    .enum(['post', 'story', 'content'])
    .nullish()
    .describe('Kind of record to comment on; a post by default.'),
  referenceId: id().describe('Public id of the record to comment on.'),
  parentId: id().nullish().describe('Public id of the comment to reply to, on the same record.'),
  ...content,
});
export type CreateCommentInput = z.input<typeof createCommentInput>;

export const commentIdInput = z.object({ commentId: id().describe('Public id of the comment.') });
export const updateCommentInput = commentIdInput.extend(content);
export const flagCommentInput = commentIdInput.extend(flagFields);
export const deleteCommentInput = commentIdInput.extend({
  permanent: z
    .boolean()
    .nullish()
    .describe('Whether to erase the content; requires the permission to delete comments there. Default: false.'),
});
export type UpdateCommentInput = z.input<typeof updateCommentInput>;

type Attachments = CommentRecord['attachments'];

/**
 * The image attachments of a comment.
 * @param held ids of the files that the comment already contains
 * @throws {OperationError} NOT_FOUND for a file that the viewer did not upload, INVALID_PARAMETERS for a file other than
 *   an image
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
    throw new OperationError('INVALID_PARAMETERS', { detail: [`attachments: ${stray.fileId} is not an image`], path });
  return fileIds.map((fileId) => ({ type: 'image', fileId }));
}

/**
 * The kinds of content of a comment.
 * @throws {OperationError} INVALID_PARAMETERS for a comment without content
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
