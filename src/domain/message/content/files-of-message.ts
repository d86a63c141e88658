import type { MessageRecord } from '../../../store/records/chat.ts';

/** Ids of all files of a message, from its own fields and its content. */
export function filesOfMessage({
  fileId,
  thumbnailFileId,
  data,
}: Pick<MessageRecord, 'fileId' | 'thumbnailFileId' | 'data'>): string[] {
  const named = [fileId, thumbnailFileId, data.fileId, data.thumbnailFileId];
  return named.filter((id): id is string => typeof id === 'string');
}
