import type { MessageRecord } from '../../../store/records/chat.ts';

/** Ids of every file that a message names, in its own fields or in its content. */
export function filesOfMessage({
  fileId,
  thumbnailFileId,
  data,
}: Pick<MessageRecord, 'fileId' | 'thumbnailFileId' | 'data'>): string[] {
  const named = [fileId, thumbnailFileId, data.fileId, data.thumbnailFileId];
  return named.filter((id): id is string => typeof id === 'string');
}
