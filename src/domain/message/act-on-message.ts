import type { MessageRecord } from '../../store/records/chat.ts';
import type { Act } from '../audit/record-audit.ts';

/** A privileged act on a message, for the audit log. */
export function actOnMessage({ messageId, userId, channelId }: MessageRecord): Act {
  return { subjectType: 'message', subjectId: messageId, affectedUserId: userId, channelId };
}
