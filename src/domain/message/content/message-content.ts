import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { Json } from '../../../store/records/base.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import { usableFiles } from '../../file/usable-files.ts';
import { DATA_SHAPES, type MessageContent, type MessageDataType } from '../message-input.ts';
import { filesOfMessage } from './files-of-message.ts';

type Content = Pick<MessageRecord, 'data' | 'fileId' | 'thumbnailFileId'>;

/**
 * The stored content of a message: a file is named both in `data` and beside it.
 *
 * @param before the message being edited, whose files may belong to another user
 * @throws {OperationError} INVALID_PARAMETERS for data that does not fit the type, NOT_FOUND for a file of another user
 */
export async function contentOf(
  context: Context,
  dataType: MessageDataType,
  given: Pick<MessageContent, 'data' | 'fileId' | 'thumbnailFileId'>,
  before: Content | null = null,
): Promise<Content> {
  const fileId = given.fileId ?? textOf(given.data?.fileId);
  const thumbnailFileId = given.thumbnailFileId ?? textOf(given.data?.thumbnailFileId);
  const data: Json = {
    ...given.data,
    ...(fileId && dataType !== 'text' && dataType !== 'custom' && { fileId }),
  };
  const parsed = DATA_SHAPES[dataType].safeParse(data);
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw new OperationError('INVALID_PARAMETERS', {
      detail: issues.slice(0, 20).map(({ path, message }) => `data.${path.join('.')}: ${message}`),
      path: ['data', ...(issues[0]?.path.map(String) ?? [])],
    });
  }
  const content = { data, fileId: fileId ?? null, thumbnailFileId: thumbnailFileId ?? null };
  await usableFiles(context, filesOfMessage(content), { held: before ? filesOfMessage(before) : [], path: ['data'] });
  return content;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
